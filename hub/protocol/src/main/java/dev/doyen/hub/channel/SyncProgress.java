package dev.doyen.hub.channel;

/** Counts the bytes of SYNC pages that a connection's socket has possibly not taken yet. */
public final class SyncProgress {

    private long bytesUnderWay;
    private boolean waits;

    public long bytesUnderWay() {
        return bytesUnderWay;
    }

    public void sent(long bytes) {
        bytesUnderWay += bytes;
    }

    /** Returns true if the caller must ask the driver to report the next flush. */
    public boolean startsToWait() {
        boolean starts = !waits;
        waits = true;
        return starts;
    }

    /** Records that the socket has taken all frames, or that the socket is gone. */
    public void flushed() {
        bytesUnderWay = 0;
        waits = false;
    }
}
