/**
 * Tools for tests: fake elections and clusters, controlled clocks, faulty stores, and contracts for stores.
 *
 * <p>Applications test their own code with {@link dev.doyen.testkit.FakeElection}. Authors of a store extend
 * {@link dev.doyen.testkit.LeaseStoreContract}. The package decides nothing and may call all of the core.
 */
@NullMarked
package dev.doyen.testkit;

import org.jspecify.annotations.NullMarked;
