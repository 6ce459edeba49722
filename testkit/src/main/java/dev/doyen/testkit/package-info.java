/**
 * For those who test: the contract every {@link dev.doyen.store.LeaseStore} must pass, threads and clocks that a test
 * moves by hand, and a store that fails on demand.
 */
@NullMarked
package dev.doyen.testkit;

import org.jspecify.annotations.NullMarked;
