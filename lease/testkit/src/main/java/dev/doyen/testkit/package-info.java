/**
 * Tools for tests: fake elections, controlled clocks, faulty stores, and test contracts for stores.
 *
 * <p>Applications test their own code with {@link dev.doyen.testkit.FakeElection}. Authors of a store extend
 * {@link dev.doyen.testkit.LeaseStoreContract}.
 */
@NullMarked
package dev.doyen.testkit;

import org.jspecify.annotations.NullMarked;
