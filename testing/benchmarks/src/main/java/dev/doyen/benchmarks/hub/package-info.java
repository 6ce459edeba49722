/**
 * Compares the hub with Socket.IO, which has hand-written presence and leadership.
 *
 * <p>The same crowd of clients uses both servers in the same run. Start reading at
 * {@link dev.doyen.benchmarks.hub.HubBench}.
 */
@NullMarked
package dev.doyen.benchmarks.hub;

import org.jspecify.annotations.NullMarked;
