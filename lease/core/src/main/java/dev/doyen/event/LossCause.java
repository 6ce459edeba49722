package dev.doyen.event;

/** Why a leadership ended. */
public enum LossCause {
    /** The leader stepped down, or its task ended. */
    RESIGNED,
    /** The leader handed over to a named candidate. */
    TRANSFERRED,
    /** The election or this candidate was paused. */
    PAUSED,
    /** The leader's own health check failed. */
    UNHEALTHY,
    /** The candidate was closed, or withdrew. */
    CLOSED,
    /**
     * No renewal was confirmed before the deadline (rule L1).
     *
     * <p>The store did not answer, or this process was paused.
     */
    EXPIRED,
    /** The machine was suspended (rule L4). The wall clock ran ahead of the monotonic clock. */
    SUSPENDED,
    /** The store shows another holder, or no record (rule L7). */
    SUPERSEDED
}
