package dev.doyen.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.aot.hint.annotation.Reflective;

/**
 * Runs a method only while this application leads the election. If the application does not lead, the call is
 * skipped.
 *
 * <p>The annotation is designed for {@code @Scheduled} methods. It also works for any other bean method that other
 * beans call.
 *
 * <p>The call counts as work of the term (rule L6). Therefore the lease is released only after the method has returned.
 * If the term ends during the call, the thread is interrupted. If the method then ends with
 * {@link InterruptedException} or {@link dev.doyen.election.NotLeaderException}, the call counts as skipped. Any other
 * exception is thrown to the caller. If the method ignores the interrupt, the lease expires and another candidate
 * leads. Therefore check {@link CurrentLeadership#isCertain} in long loops, and pass {@link CurrentLeadership#term} to
 * every resource that the method writes.
 *
 * <p>At most one call of a method runs at a time on one object. A call that arrives during another call is skipped,
 * unless it is a nested call on the same thread. A method that returns a {@link java.util.concurrent.CompletionStage}
 * runs until the stage completes. The work of such a stage cannot be interrupted, so it must check {@link
 * CurrentLeadership#isCertain}. A skipped call returns null, an empty {@link java.util.Optional}, or a stage completed
 * with null.
 *
 * <p>A method can return a {@code Mono} or a {@code Flux} of Reactor. Each subscription then calls the method, and is
 * one call: the check, the call and the work take place at the subscription. When the term ends, the work is cancelled.
 * The publisher then completes without a value, like the publisher of a skipped call. If it has emitted a value
 * already, it fails with {@link dev.doyen.election.NotLeaderException} instead. The context of Reactor contains the
 * leadership under the key {@code Leadership.class}. {@link CurrentLeadership} contains the leadership only while the
 * method itself runs, and not in the operators. A suspend function of Kotlin behaves like a method that returns a
 * {@code Mono}. It needs the library {@code kotlinx-coroutines-reactor}, and a skipped call returns null. The end of a
 * cancelled step cannot be observed, so the lease can be released while such a step still runs.
 *
 * <p>The application does not start if an annotated method is private, static or final. The application also does not
 * start if the method returns a primitive value, a {@code Future} that is no {@code CompletionStage}, or a publisher
 * that is no {@code Mono} or {@code Flux}. Doyen cannot skip such a method, or cannot wait for its end. As with all
 * advice, a call from within the same object is not intercepted.
 *
 * <p>The advice for this annotation runs after {@code @Async} and before all other advice, such as
 * {@code @Transactional}. Therefore a transaction has ended before the lease is released.
 */
@Documented
@Reflective
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface LeaderOnly {

    /**
     * Returns the election's name, which may contain placeholders, ${like.this}.
     *
     * <p>An election without settings under {@code doyen.elections} has the default settings.
     */
    String value();
}
