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
 * <p>Before this call, the term's {@link LeaderOnly} and {@link OnElected} methods have returned. The method may have
 * parameters for the {@link dev.doyen.election.Leadership} that has ended and for the
 * {@link dev.doyen.event.LossCause}.
 *
 * <p>The annotated methods run one at a time on a callback thread. They should return quickly, because the lease is
 * released only after their return and the next leader waits for the release. Exceptions are logged.
 */
@Documented
@Reflective
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface OnRevoked {

    /**
     * Returns the election's name, which may contain placeholders, ${like.this}.
     *
     * <p>An election without settings under {@code doyen.elections} has the default settings.
     */
    String value();
}
