package dev.doyen.lease;

/** Whether a candidate may stand at all, as its own process judges. */
public enum Fitness {
    FIT,
    /** Not well, but stands when nobody better has come for a ttl, and hands over to whoever is fit. */
    LAST_RESORT,
    /** Not well: does not stand. */
    UNFIT,
    /** Told to stand back. */
    PAUSED;

    boolean stands() {
        return this == FIT || this == LAST_RESORT;
    }
}
