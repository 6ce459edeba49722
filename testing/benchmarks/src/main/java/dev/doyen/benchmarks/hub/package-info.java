/**
 * Compares the hub with a Socket.IO server. The benchmark's own script implements presence and leadership for
 * Socket.IO.
 *
 * <p>The same crowd of clients uses both servers in the same run. Start with {@link dev.doyen.benchmarks.hub.HubBench}.
 */
@NullMarked
package dev.doyen.benchmarks.hub;

import org.jspecify.annotations.NullMarked;
