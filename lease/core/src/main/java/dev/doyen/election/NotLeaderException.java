package dev.doyen.election;

/**
 * Thrown by an operation of a leader whose term has ended. Stop the work, because another candidate can already lead.
 */
public final class NotLeaderException extends IllegalStateException {

    private final long term;

    public NotLeaderException(String election, long term) {
        super("term " + term + " of election \"" + election + "\" has ended; stop, and wait to be elected again");
        this.term = term;
    }

    /** Returns the term that has ended. */
    public long term() {
        return term;
    }
}
