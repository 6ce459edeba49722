package dev.doyen.event;

/** The cause of the end of a leadership. */
public enum LossCause {
    /** The leader stepped down or withdrew, or its task ended. */
    RESIGNED("resigned"),
    /** The leader handed over to a named candidate. */
    TRANSFERRED("handed over"),
    /** The election or this candidate was paused. */
    PAUSED("paused"),
    /** The leader's own health check failed. */
    UNHEALTHY("unhealthy"),
    /** The candidate was closed. */
    CLOSED("closed"),
    /**
     * No renewal was confirmed before the deadline (rule L1).
     *
     * <p>For example, the store did not answer, or this process was stopped for a while. A lease under a session also
     * has this cause if its epoch has ended (rule L12).
     */
    EXPIRED("the lease expired"),
    /**
     * The deadline has passed only on the wall clock (rule L4). The computer was suspended, or the clock was set
     * forward.
     */
    SUSPENDED("this machine was suspended"),
    /** The store shows another holder, another term or no record (rule L7). */
    SUPERSEDED("another candidate holds the lease, or its record was deleted");

    private final String description;

    LossCause(String description) {
        this.description = description;
    }

    /** Returns the cause as words for people, such as {@code the lease expired}. */
    public String description() {
        return description;
    }
}
