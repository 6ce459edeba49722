/**
 * Meters of elections, for whatever Micrometer writes to. {@link dev.doyen.micrometer.DoyenMetrics} shows what one
 * member of an election knows, {@link dev.doyen.micrometer.MeteredLeaseStore} how its store answers. All names and tags
 * are listed in docs/reference/metrics.md.
 */
@NullMarked
package dev.doyen.micrometer;

import org.jspecify.annotations.NullMarked;
