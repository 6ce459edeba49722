package dev.doyen.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.aot.hint.annotation.Reflective;

/**
 * This method is called each time this application is elected, with the {@link dev.doyen.Leadership} if it has such a parameter.
 *
 * <p>It runs on a thread of its own, beside other such methods, and may take as long as the term: when that ends, the thread is
 * interrupted, and the lease is not given back before the method has returned (rule L6). What it throws is logged. To return
 * early is no resignation.
 */
@Documented
@Reflective
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface OnElected {

    /** The election's name. One without settings under {@code doyen.elections} has the defaults. May have placeholders, ${like.this}. */
    String value();
}
