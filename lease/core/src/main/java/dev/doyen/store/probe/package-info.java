/**
 * Tests whether a store fulfils the promises of {@link dev.doyen.store.LeaseStore}.
 *
 * <p>{@code doyen doctor} uses {@link dev.doyen.store.probe.StoreProbe}. The stores on object storage use it when they
 * are opened.
 */
@NullMarked
package dev.doyen.store.probe;

import org.jspecify.annotations.NullMarked;
