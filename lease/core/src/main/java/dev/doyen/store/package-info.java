/**
 * The interface of lease stores, and the lease record.
 *
 * <p>A store decides which compare-and-set succeeds. A store must be linearizable per election and must not forget a
 * confirmed write. {@link dev.doyen.store.LeaseStore.Promises} contains the further guarantees of a store. The election
 * rules do not use the clock of the store. Start with {@link dev.doyen.store.LeaseStore}, which also opens a store by
 * its URL.
 */
@NullMarked
package dev.doyen.store;

import org.jspecify.annotations.NullMarked;
