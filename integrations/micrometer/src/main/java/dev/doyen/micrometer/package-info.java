/**
 * Micrometer meters of elections and lease stores.
 *
 * <p>{@link dev.doyen.micrometer.DoyenMetrics} shows what one participant of an election knows.
 * {@link dev.doyen.micrometer.MeteredLeaseStore} shows how its store answers. docs/reference/metrics.md lists all names
 * and tags. Start with {@link dev.doyen.micrometer.DoyenMetrics#bind}.
 */
@NullMarked
package dev.doyen.micrometer;

import org.jspecify.annotations.NullMarked;
