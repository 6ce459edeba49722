package dev.doyen.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.aot.hint.annotation.Reflective;

/**
 * This method is called each time a term of this application has ended and its {@link LeaderOnly} and {@link OnElected} methods
 * have returned; with the {@link dev.doyen.Leadership} that is over and the {@link dev.doyen.event.LossCause}, if it has
 * such parameters.
 *
 * <p>One such method at a time, on a thread for callbacks. The lease is given back after it has returned, so be brief: the next
 * leader waits. What it throws is logged.
 */
@Documented
@Reflective
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface OnRevoked {

    /** The election's name. One without settings under {@code doyen.elections} has the defaults. May have placeholders, ${like.this}. */
    String value();
}
