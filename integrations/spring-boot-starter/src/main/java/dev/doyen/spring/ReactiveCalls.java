package dev.doyen.spring;

import dev.doyen.election.Leadership;
import dev.doyen.election.NotLeaderException;
import dev.doyen.log.FaultLog;
import java.lang.reflect.Method;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.aop.ProxyMethodInvocation;
import reactor.core.Exceptions;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Sinks;

/**
 * Implements {@link LeaderOnly} for methods that return a {@code Mono} or a {@code Flux}, and for suspend functions.
 *
 * <p>Each subscription calls the method and counts as one call. The check, the call and the work take place at the
 * subscription. The work ends with the last signal, or when the caller or the end of the term cancels it.
 *
 * <p>Spring itself converts a suspend function to a {@code Mono}, and the {@code Mono} of an interceptor back to the
 * result of the suspend function. This class is loaded only if Reactor is on the class path.
 */
final class ReactiveCalls {

    private static final FaultLog FAULTS = new FaultLog(System.getLogger("dev.doyen.spring"));

    private ReactiveCalls() {}

    /**
     * Returns a publisher that calls the method at each subscription.
     *
     * @param enter admits a call; empty if the call is skipped
     */
    static Object publisher(MethodInvocation invocation, Method method, Supplier<Optional<TermGate.Work>> enter) {
        Flux<Object> calls =
                Flux.defer(() -> enter.get().map(work -> call(invocation, work)).orElseGet(Flux::empty));
        return LeaderMethods.returnsMany(method) ? calls : calls.singleOrEmpty();
    }

    private static Flux<Object> call(MethodInvocation invocation, TermGate.Work work) {
        Leadership leadership = work.leadership();
        var hasResult = new AtomicBoolean();
        var cutOff = new AtomicReference<@Nullable NotLeaderException>();
        Sinks.Empty<Object> termEnds = Sinks.empty();
        Publisher<?> results;
        Leadership before = CurrentLeadership.enter(leadership);
        try {
            results = proceed(invocation);
        } catch (Throwable e) {
            results = Flux.error(e);
        } finally {
            CurrentLeadership.restore(before);
            work.leaveThread();
        }
        // The work ends before its last signal reaches the caller, because the caller may call the method again then.
        Flux<Object> running = Flux.<Object>from(results)
                .doOnNext(result -> hasResult.set(true))
                .doOnTerminate(work::end)
                .doOnCancel(work::end)
                // If this signal were an error, Reactor would not cancel the work. So the error follows the signal.
                .takeUntilOther(termEnds.asMono())
                .concatWith(Flux.defer(() -> error(cutOff.get())))
                .contextWrite(context -> context.put(Leadership.class, leadership));
        work.cancelWith(() -> FAULTS.survives("the cancellation of a @LeaderOnly call", () -> {
            if (hasResult.get()) {
                cutOff.set(reason(leadership));
            }
            Sinks.EmitResult unused = termEnds.tryEmitEmpty();
        }));
        return running.onErrorComplete(e -> isSkipped(Exceptions.unwrap(e), hasResult.get(), work));
    }

    private static Publisher<?> proceed(MethodInvocation invocation) throws Throwable {
        // An invocation can be continued once only, and there can be several subscriptions.
        MethodInvocation next =
                invocation instanceof ProxyMethodInvocation proxied ? proxied.invocableClone() : invocation;
        Object result = next.proceed();
        if (result instanceof Publisher<?> publisher) {
            return publisher;
        }
        throw new IllegalStateException(invocation.getMethod() + " returned " + result + " instead of a publisher");
    }

    /** Returns true if the call failed only because the term has ended, and the caller has received no result. */
    private static boolean isSkipped(Throwable thrown, boolean hasResult, TermGate.Work work) {
        return !hasResult
                && (thrown instanceof InterruptedException || thrown instanceof NotLeaderException)
                && work.isOver();
    }

    /**
     * Returns the exception that the caller receives if it has received a result before the term has ended. An
     * incomplete stream must not look like a complete one.
     */
    private static @Nullable NotLeaderException reason(Leadership leadership) {
        try {
            leadership.check();
            return null;
        } catch (NotLeaderException e) {
            return e;
        }
    }

    private static Flux<Object> error(@Nullable NotLeaderException thrown) {
        return thrown == null ? Flux.empty() : Flux.error(thrown);
    }
}
