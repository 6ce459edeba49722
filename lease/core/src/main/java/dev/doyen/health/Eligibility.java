package dev.doyen.health;

import dev.doyen.event.LossCause;

/** States whether a candidate's health, pauses and task permit it to campaign (rule M6). */
public enum Eligibility {
    FIT,
    /**
     * The candidate is unhealthy, but campaigns with priority 0. It waits until the lease has been free for 1.5 ttl. If
     * it leads, a healthy candidate asks it to hand over.
     */
    LAST_RESORT,
    /** The candidate is unhealthy and does not campaign. */
    UNFIT,
    /** The candidate is paused and does not campaign until it is resumed. */
    PAUSED,
    /** The task of the candidate has ended. The candidate does not campaign until it has a new task or is resumed. */
    WITHOUT_TASK;

    /**
     * Returns the loss cause of a leader whose eligibility changes to this value. A change to {@link #FIT} ends no
     * leadership.
     */
    public LossCause lossCause() {
        return switch (this) {
            case PAUSED -> LossCause.PAUSED;
            case WITHOUT_TASK -> LossCause.RESIGNED;
            case FIT, LAST_RESORT, UNFIT -> LossCause.UNHEALTHY;
        };
    }

    public boolean mayCampaign() {
        return this == FIT || this == LAST_RESORT;
    }
}
