package dev.doyen.lease;

/** How a machine keeps the lease it has taken. */
public enum Keeping {
    /** Writes the record again and again (rules L1, L2). */
    BY_RENEWAL,
    /** Holds it under its process's session and leaves the record alone (rule L12). */
    UNDER_SESSION
}
