package dev.doyen.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.aot.hint.annotation.Reflective;

/**
 * This method runs while this application leads the election, and is skipped otherwise. Made for methods with
 * {@code @Scheduled}, and good for any method of a bean that others call.
 *
 * <p>The call is work under the term (rule L6): the lease is not given back before it has returned. If the term ends
 * meanwhile, its thread is interrupted; what then ends by {@link InterruptedException} or
 * {@link dev.doyen.NotLeaderException} counts as skipped, anything else that is thrown goes to the caller. A method that ignores
 * the interrupt keeps the lease until that runs out, and another leads: in long loops ask
 * {@link CurrentLeadership#isCertain}, and give {@link CurrentLeadership#term} to whatever is written to.
 *
 * <p>A method runs once at a time: a call while another is under way is skipped too, unless it comes from within that one. One
 * that returns a {@link java.util.concurrent.CompletionStage} is under way until that completes; it cannot be interrupted, and
 * has to ask. A skipped call returns null, an empty {@link java.util.Optional} or a stage that is completed with null.
 *
 * <p>Refused when the application starts, for they could not be kept from running or skipped: primitive results, methods that
 * are private, static or final, and results that begin or go on after the method returned, such as {@code Future} and
 * {@code Mono}. As with all advice, a call from within the same object does not pass by here.
 *
 * <p>Comes before {@code @Transactional} and other advice, and after {@code @Async}: a transaction is over before the lease is
 * given back.
 */
@Documented
@Reflective
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface LeaderOnly {

    /** The election's name. One without settings under {@code doyen.elections} has the defaults. May have placeholders, ${like.this}. */
    String value();
}
