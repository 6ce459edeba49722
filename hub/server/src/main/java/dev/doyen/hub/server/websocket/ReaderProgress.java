package dev.doyen.hub.server.websocket;

/**
 * Decides whether a slow reader makes progress, by the bytes that it has read of its queue.
 *
 * <p>Threads: its socket's event loop.
 */
final class ReaderProgress {

    private final long leastBytes;
    private long queuedBytes;
    private long readBefore;

    /**
     * Creates the measure for one reader.
     *
     * @param leastBytes how many bytes a slow reader must read between two checks
     */
    ReaderProgress(long leastBytes) {
        this.leastBytes = leastBytes;
    }

    void queued(int bytes) {
        queuedBytes += bytes;
    }

    /** Starts to measure a reader that has become slow, with this many bytes unread. */
    void begin(long unreadBytes) {
        readBefore = queuedBytes - unreadBytes;
    }

    /**
     * Whether it has read too little since the last check, or since it became slow.
     *
     * @param unreadBytes how many bytes are unread now
     */
    boolean isTooSlow(long unreadBytes) {
        long read = queuedBytes - unreadBytes;
        boolean tooSlow = read - readBefore < leastBytes;
        readBefore = read;
        return tooSlow;
    }
}
