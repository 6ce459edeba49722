/**
 * Derives an election's state, and the client's next action, from an elector's answers.
 *
 * <p>The package has no clock, thread, randomness or I/O. Times are in nanoseconds of one monotonic clock, which the
 * caller reads once for each input. Start reading at {@link dev.doyen.client.state.WatchMachine}.
 */
@NullMarked
package dev.doyen.client.state;

import org.jspecify.annotations.NullMarked;
