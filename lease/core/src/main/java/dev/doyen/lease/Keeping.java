package dev.doyen.lease;

/** How a leader keeps its lease from expiring. */
public enum Keeping {
    /** The leader renews the record itself (rules L1, L2). */
    BY_RENEWAL,
    /** The process renews its session, and does not renew the record (rule L12). */
    UNDER_SESSION
}
