package dev.doyen.lease;

import dev.doyen.event.LossCause;

/** Whether a candidate may be elected, as its own process judges. */
public enum Fitness {
    FIT,
    /** Not well, but stands when nobody better has come for a ttl, and hands over to whoever is fit. */
    LAST_RESORT,
    /** Not well: does not stand. */
    UNFIT,
    /** Does not campaign until it is resumed. */
    PAUSED,
    /** Its task has ended: it does not campaign until it is given another. */
    WITHOUT_TASK;

    /** Why a leader that becomes this loses its term. */
    LossCause lossCause() {
        return switch (this) {
            case PAUSED -> LossCause.PAUSED;
            case WITHOUT_TASK -> LossCause.RESIGNED;
            case FIT, LAST_RESORT, UNFIT -> LossCause.UNHEALTHY;
        };
    }

    boolean stands() {
        return this == FIT || this == LAST_RESORT;
    }
}
