package dev.doyen.driver;

/**
 * Limits how many messages wait for a loop, and how many bytes they have. A message over the limit is dropped, as a
 * network does.
 *
 * <p>Threads: any.
 */
final class ArrivalLimit {

    static final int MAX_MESSAGES = 10_000;

    static final long MAX_BYTES = 16L * 1024 * 1024;

    private int messages;
    private long bytes;

    /** Returns whether a message of this size may wait; then {@link #taken} is owed. */
    synchronized boolean admits(int size) {
        if (messages == MAX_MESSAGES || bytes + size > MAX_BYTES) {
            return false;
        }
        messages++;
        bytes += size;
        return true;
    }

    /** A message of this size waits no longer. */
    synchronized void taken(int size) {
        messages--;
        bytes -= size;
    }
}
