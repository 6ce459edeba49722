package dev.doyen.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.aot.hint.annotation.Reflective;

/**
 * Calls a method each time this application is elected.
 *
 * <p>The method may have a parameter of type {@link dev.doyen.election.Leadership}. The method runs on its own
 * thread, concurrently with other such methods. The method may run for the whole term. When the term ends, the thread
 * is interrupted. The lease is released only after the method has returned (rule L6). Exceptions are logged. If the
 * method returns early, the application continues to lead.
 */
@Documented
@Reflective
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface OnElected {

    /**
     * Returns the election's name, which may contain placeholders, ${like.this}.
     *
     * <p>An election without settings under {@code doyen.elections} has the default settings.
     */
    String value();
}
