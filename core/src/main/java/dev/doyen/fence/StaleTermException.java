package dev.doyen.fence;

/** A resource has seen a higher term than the one offered: whoever offers it leads no more. Stop, and do not retry. */
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

    /** The term that was refused. */
    public long offered() {
        return offered;
    }

    /** The highest term the resource has seen. */
    public long seen() {
        return seen;
    }
}
