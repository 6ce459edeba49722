/**
 * Provides an example of a scheduled job on one of several Spring Boot instances. The job pays interest once for each
 * period.
 *
 * <p>{@link dev.doyen.examples.spring.InterestJob} is the job. {@link dev.doyen.examples.spring.Ledger} contains the
 * fenced writes.
 */
@NullMarked
package dev.doyen.examples.spring;

import org.jspecify.annotations.NullMarked;
