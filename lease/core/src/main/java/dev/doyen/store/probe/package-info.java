/**
 * Tests whether a store fulfils the promises of {@link dev.doyen.store.LeaseStore}.
 *
 * <p>{@code doyen doctor} and the store contract of the testkit use {@link dev.doyen.store.probe.StoreProbe}.
 */
@NullMarked
package dev.doyen.store.probe;

import org.jspecify.annotations.NullMarked;
