package dev.doyen.server.websocket;

/**
 * Tells a reader that has much to read from one that does not read: how much it has read of what was queued for it.
 *
 * <p>Threads: its socket's event loop.
 */
final class ReaderPace {

    private final long leastBytes;
    private long queuedBytes;
    private long readBefore;

    /** @param leastBytes how much a slow reader has to read from one look to the next */
    ReaderPace(long leastBytes) {
        this.leastBytes = leastBytes;
    }

    void queued(int bytes) {
        queuedBytes += bytes;
    }

    /** From now on it is slow, with so much unread. */
    void begin(long unreadBytes) {
        readBefore = queuedBytes - unreadBytes;
    }

    /** Whether it has read too little since the last look, or since it became slow, with so much unread now. */
    boolean isTooSlow(long unreadBytes) {
        long read = queuedBytes - unreadBytes;
        boolean tooSlow = read - readBefore < leastBytes;
        readBefore = read;
        return tooSlow;
    }
}
