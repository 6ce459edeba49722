/**
 * The names of the metrics that several programs publish, and the measurement of calls to a store.
 *
 * <p>The package decides the name, the unit and the labels of each common metric, and classifies the calls to a store.
 * It may call only {@code dev.doyen.store} and {@code dev.doyen.event}. docs/reference/metrics.md explains the metrics.
 * Start reading at {@link dev.doyen.metrics.Metric}.
 */
@NullMarked
package dev.doyen.metrics;

import org.jspecify.annotations.NullMarked;
