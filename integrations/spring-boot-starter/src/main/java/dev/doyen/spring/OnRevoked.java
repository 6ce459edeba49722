package dev.doyen.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.aot.hint.annotation.Reflective;

/**
 * Calls a method each time a term of this application has ended.
 *
 * <p>The term's {@link LeaderOnly} and {@link OnElected} methods have returned by then. The method may have parameters
 * for the {@link dev.doyen.election.Leadership} that has ended and for the {@link dev.doyen.event.LossCause}.
 *
 * <p>Such methods run one at a time, on a callback thread. The lease is released after they have returned, so be brief:
 * the next leader waits. Exceptions are logged.
 */
@Documented
@Reflective
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface OnRevoked {

    /**
     * Returns the election's name, which may contain placeholders, ${like.this}.
     *
     * <p>An election without settings under {@code doyen.elections} has the defaults.
     */
    String value();
}
