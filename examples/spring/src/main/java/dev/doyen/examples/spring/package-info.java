/**
 * A scheduled job on one of several Spring Boot instances, which pays interest once for each period.
 *
 * <p>{@link dev.doyen.examples.spring.InterestJob} is the job. {@link dev.doyen.examples.spring.Ledger} writes, with
 * the fence.
 */
@NullMarked
package dev.doyen.examples.spring;

import org.jspecify.annotations.NullMarked;
