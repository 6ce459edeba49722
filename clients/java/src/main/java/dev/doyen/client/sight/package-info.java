/**
 * Decides what an elector's answers mean, and what to do next.
 *
 * <p>It has no clock, thread, randomness or I/O. Times are in nanoseconds of one monotonic clock, which the caller
 * reads once for each input. Start reading at {@link dev.doyen.client.sight.WatchMachine}.
 */
@NullMarked
package dev.doyen.client.sight;

import org.jspecify.annotations.NullMarked;
