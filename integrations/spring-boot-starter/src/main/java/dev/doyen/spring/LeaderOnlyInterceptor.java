package dev.doyen.spring;

import dev.doyen.election.Leadership;
import dev.doyen.election.NotLeaderException;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.annotation.AnnotatedElementUtils;

/** Implements {@link LeaderOnly}. */
final class LeaderOnlyInterceptor implements MethodInterceptor {

    private final Supplier<Function<String, TermGate>> gates;
    private final Map<Method, String> elections = new ConcurrentHashMap<>();

    /**
     * @param gates the supplier of a function that maps an election's name to its gate. The interceptor calls the
     *     supplier at each invocation, when all beans exist. The name may contain placeholders
     */
    LeaderOnlyInterceptor(Supplier<Function<String, TermGate>> gates) {
        this.gates = gates;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        Object target = invocation.getThis();
        Class<?> type = target == null ? invocation.getMethod().getDeclaringClass() : target.getClass();
        Method method = AopUtils.getMostSpecificMethod(invocation.getMethod(), type);
        String election = elections.computeIfAbsent(method, LeaderOnlyInterceptor::election);
        var what = new Call(method, target);
        if (LeaderMethods.isReactive(method)) {
            return ReactiveCalls.publisher(
                    invocation, method, () -> gates.get().apply(election).enter(what));
        }
        Optional<TermGate.Work> entered = gates.get().apply(election).enter(what);
        return entered.isEmpty() ? skipped(method) : run(invocation, method, entered.get());
    }

    private static @Nullable Object run(MethodInvocation invocation, Method method, TermGate.Work work)
            throws Throwable {
        Leadership before = CurrentLeadership.enter(work.leadership());
        boolean goesOn = false;
        try {
            Object result = invocation.proceed();
            if (result instanceof CompletionStage<?> stage) {
                work.leaveThread();
                goesOn = true;
                CompletionStage<?> unused = stage.whenComplete((done, failed) -> work.end());
            }
            return result;
        } catch (InterruptedException | NotLeaderException e) {
            if (work.isOver()) {
                return skipped(method);
            }
            throw e;
        } finally {
            CurrentLeadership.restore(before);
            if (!goesOn) {
                work.end();
            }
        }
    }

    private static String election(Method method) {
        LeaderOnly found = AnnotatedElementUtils.findMergedAnnotation(method, LeaderOnly.class);
        if (found == null) {
            throw new IllegalStateException(method + " has no @LeaderOnly");
        }
        return found.value();
    }

    static @Nullable Object skipped(Method method) {
        Class<?> type = method.getReturnType();
        if (type == Optional.class) {
            return Optional.empty();
        }
        return CompletionStage.class.isAssignableFrom(type) ? CompletableFuture.completedFuture(null) : null;
    }

    /**
     * The key of a call: one method of one object. At most one call with a given key runs at a time, not counting
     * nested calls.
     */
    private record Call(Method method, @Nullable Object target) {

        /** Compares the objects by their identity, because two objects can be equal or have the same hash code. */
        @SuppressWarnings("ReferenceEquality")
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Call call && method.equals(call.method) && target == call.target;
        }

        @Override
        public int hashCode() {
            return 31 * method.hashCode() + System.identityHashCode(target);
        }
    }
}
