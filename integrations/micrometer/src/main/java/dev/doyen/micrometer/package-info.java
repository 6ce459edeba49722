/**
 * Provides Micrometer meters for elections and lease stores.
 *
 * <p>{@link dev.doyen.micrometer.DoyenMetrics} measures one participant of an election.
 * {@link dev.doyen.micrometer.MeteredLeaseStore} measures the calls to a store. docs/reference/metrics.md lists all
 * names and tags. Start with {@link dev.doyen.micrometer.DoyenMetrics#bind}.
 */
@NullMarked
package dev.doyen.micrometer;

import org.jspecify.annotations.NullMarked;
