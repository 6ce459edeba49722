package dev.doyen.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.aot.hint.annotation.Reflective;

/**
 * Runs a method only while this application leads the election. Otherwise the call is skipped.
 *
 * <p>It is designed for {@code @Scheduled} methods, and works for any bean method that other beans call.
 *
 * <p>The call is work under the term (rule L6), so the lease is released only after the method has returned. If the
 * term ends meanwhile, the thread is interrupted. If the method then ends with {@link InterruptedException} or
 * {@link dev.doyen.election.NotLeaderException}, the call counts as skipped. Any other exception goes to the caller. If the
 * method ignores the interrupt, the lease expires and another candidate leads. So check
 * {@link CurrentLeadership#isCertain} in long loops, and pass {@link CurrentLeadership#term} to every resource that you
 * write to.
 *
 * <p>A method runs once at a time. A call during another one is skipped, unless it comes from within that one. A method
 * that returns a {@link java.util.concurrent.CompletionStage} runs until the stage completes. It cannot be interrupted,
 * so it must check. A skipped call returns null, an empty {@link java.util.Optional}, or a stage completed with null.
 *
 * <p>Some methods cannot be skipped or waited for, and are rejected when the application starts. These are methods with
 * primitive results, private, static and final methods, and methods whose work continues after the return, such as
 * those with a {@code Future} or {@code Mono}. As with all advice, a call from within the same object is not
 * intercepted.
 *
 * <p>This advice comes after {@code @Async} and before all other advice, such as {@code @Transactional}. So a
 * transaction is over before the lease is released.
 */
@Documented
@Reflective
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface LeaderOnly {

    /**
     * Returns the election's name, which may contain placeholders, ${like.this}.
     *
     * <p>An election without settings under {@code doyen.elections} has the defaults.
     */
    String value();
}
