/**
 * Compares the hub with Socket.IO and Centrifugo.
 *
 * <p>The benchmark's own script implements presence and leadership for Socket.IO.
 *
 * <p>One run measures all servers, with the same code for the clients. Start with
 * {@link dev.doyen.benchmarks.hub.HubBench}.
 */
@NullMarked
package dev.doyen.benchmarks.hub;

import org.jspecify.annotations.NullMarked;
