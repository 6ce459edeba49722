package dev.doyen.fence;

/**
 * Thrown if a resource has already admitted a higher term. The caller no longer leads. The caller must stop and must
 * not retry.
 */
public final class StaleTermException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final long offered;
    private final long seen;

    public StaleTermException(String resource, long offered, long seen) {
        super("\"" + resource + "\" refuses term " + offered + ": fence " + offered + " < " + seen
                + "; a later leader has written already");
        this.offered = offered;
        this.seen = seen;
    }

    /** Returns the rejected term. */
    public long offered() {
        return offered;
    }

    /** Returns the highest term that the resource has admitted. */
    public long seen() {
        return seen;
    }
}
