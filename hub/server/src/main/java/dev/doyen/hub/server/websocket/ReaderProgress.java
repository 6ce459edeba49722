package dev.doyen.hub.server.websocket;

/**
 * Decides whether a slow reader makes progress. The measure is the number of bytes that it has read from its queue.
 *
 * <p>Only the event loop of the socket calls the methods.
 */
final class ReaderProgress {

    private final long leastBytes;
    private long queuedBytes;
    private long readBefore;

    /**
     * Creates the measure for one reader.
     *
     * @param leastBytes the number of bytes that a slow reader must read between two checks
     */
    ReaderProgress(long leastBytes) {
        this.leastBytes = leastBytes;
    }

    void queued(int bytes) {
        queuedBytes += bytes;
    }

    /** Starts to measure a reader that has become slow and has {@code unreadBytes} unread bytes. */
    void begin(long unreadBytes) {
        readBefore = queuedBytes - unreadBytes;
    }

    /**
     * Returns true if the reader has read too few bytes since the last check. The first check counts from the time at
     * which the reader became slow.
     *
     * @param unreadBytes the current number of unread bytes
     */
    boolean isTooSlow(long unreadBytes) {
        long read = queuedBytes - unreadBytes;
        boolean tooSlow = read - readBefore < leastBytes;
        readBefore = read;
        return tooSlow;
    }
}
