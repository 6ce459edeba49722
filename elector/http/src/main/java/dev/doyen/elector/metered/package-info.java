/**
 * A store that measures its calls, for the metrics of the sidecar and the hub.
 *
 * <p>This package reads the clock, so {@code dev.doyen.elector.metrics} must not call this package. This package may
 * call only {@code dev.doyen.metrics} and {@code dev.doyen.store}. Start reading at
 * {@link dev.doyen.elector.metered.MeteredStore}.
 */
@NullMarked
package dev.doyen.elector.metered;

import org.jspecify.annotations.NullMarked;
