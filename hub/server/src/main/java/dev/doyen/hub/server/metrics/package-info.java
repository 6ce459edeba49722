/**
 * The package counts the traffic of a hub, and writes the hub's metrics for Prometheus.
 *
 * <p>It decides the names of the metrics and which rejections count. It reads the hub's thread through a snapshot, so
 * it never waits for that thread. Start reading at {@link dev.doyen.hub.server.metrics.HubMetrics}.
 */
@NullMarked
package dev.doyen.hub.server.metrics;

import org.jspecify.annotations.NullMarked;
