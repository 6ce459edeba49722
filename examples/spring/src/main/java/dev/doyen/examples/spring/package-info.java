/**
 * A scheduled job on one of several Spring Boot instances: it pays interest, for each period once. {@link
 * dev.doyen.examples.spring.InterestJob} is the job, {@link dev.doyen.examples.spring.Ledger} writes, with the fence.
 */
@NullMarked
package dev.doyen.examples.spring;

import org.jspecify.annotations.NullMarked;
