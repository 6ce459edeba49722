/**
 * Stores lease records: the {@link dev.doyen.store.LeaseStore} port, the record, and three stores without a server.
 *
 * <p>A store decides which compare-and-set succeeds. It must be linearizable per election and must not forget a
 * confirmed write. {@link dev.doyen.store.StorePromises} states what it guarantees beyond that. No rule relies on a
 * clock of the store. The stores {@code memory:}, {@code file:} and {@code shared-file:} need nothing but the JDK.
 * Start with {@link dev.doyen.store.LeaseStore}.
 */
@NullMarked
package dev.doyen.store;

import org.jspecify.annotations.NullMarked;
