package dev.doyen.hub.server.websocket;

import dev.doyen.hub.HubCounts;

/**
 * The counts and the load of a hub's thread.
 *
 * @param counts the counts after the last inputs that the hub has processed
 * @param inputsWaiting the number of inputs and other tasks that wait for the thread
 * @param lagNanos the longest recent wait of an input, in nanoseconds. The value contains every wait of the last 30 s,
 *     and no wait that is older than 90 s. If the thread hangs, the value rises
 * @param queuedBytes the bytes of frames that wait for the clients' sockets
 * @param sentBytes the bytes of frames that the sockets have taken
 */
public record LoopSnapshot(HubCounts counts, int inputsWaiting, long lagNanos, long queuedBytes, long sentBytes) {}
