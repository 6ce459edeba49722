package dev.doyen.hub.server.websocket;

import java.util.concurrent.atomic.LongAdder;

/**
 * Counts the bytes of frames that sockets have taken, or still have to take.
 *
 * <p>A frame for several clients counts once per client. Threads: any.
 */
final class OutboundBytes {

    private final LongAdder queued = new LongAdder();
    private final LongAdder sent = new LongAdder();

    /** Adds to the queued bytes; a negative number subtracts. */
    void addQueued(long bytes) {
        queued.add(bytes);
    }

    void addSent(long bytes) {
        sent.add(bytes);
    }

    /** Returns the number of queued bytes. The threads add and subtract at any time, so the number is approximate. */
    long queued() {
        return Math.max(0, queued.sum());
    }

    long sent() {
        return sent.sum();
    }
}
