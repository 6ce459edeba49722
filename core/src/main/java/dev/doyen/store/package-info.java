/**
 * Where a lease is kept: the {@link dev.doyen.store.LeaseStore} port with its three answers, the record it holds, and
 * the two stores that need nothing else, {@code memory:} and {@code file:}.
 *
 * <p>Assumption: a store is linearizable per election and does not forget what it confirmed. What a store promises
 * beyond that it says itself ({@link dev.doyen.store.StorePromises}). No clock of a store is ever relied on.
 */
@NullMarked
package dev.doyen.store;

import org.jspecify.annotations.NullMarked;
