package dev.doyen.health;

import dev.doyen.event.LossCause;

/** Whether a candidate may be elected, by its own health and state (rule M6). */
public enum Eligibility {
    FIT,
    /** Unhealthy, but campaigns after a delay of 1.5 W, with priority 0. A healthy candidate asks it to hand over. */
    LAST_RESORT,
    /** Unhealthy: does not campaign. */
    UNFIT,
    /** Does not campaign until it is resumed. */
    PAUSED,
    /** The task has ended: does not campaign until there is another task. */
    WITHOUT_TASK;

    /** Returns the cause with which a leader loses its term when it changes to this value. */
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
