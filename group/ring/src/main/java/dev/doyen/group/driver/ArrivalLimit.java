package dev.doyen.group.driver;

/**
 * Limits the number and the bytes of messages that wait for a loop.
 *
 * <p>The loop drops a message over the limit. The ring tolerates lost messages. Threads: any.
 */
final class ArrivalLimit {

    static final int MAX_MESSAGES = 10_000;

    static final long MAX_BYTES = 16L * 1024 * 1024;

    private int messages;
    private long bytes;

    /**
     * Returns true if a message of this size may wait. In that case the caller must call {@link #taken} when the
     * message no longer waits.
     */
    synchronized boolean admits(int size) {
        if (messages == MAX_MESSAGES || bytes + size > MAX_BYTES) {
            return false;
        }
        messages++;
        bytes += size;
        return true;
    }

    /** Records that a message of this size no longer waits. */
    synchronized void taken(int size) {
        messages--;
        bytes -= size;
    }
}
