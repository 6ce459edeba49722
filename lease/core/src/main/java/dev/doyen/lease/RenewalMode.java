package dev.doyen.lease;

/** How a leader keeps its lease from expiring. */
public enum RenewalMode {
    /** The leader renews the record itself (rules L1, L2). */
    RENEWS_LEASE,
    /** The process renews its session, and does not renew the record (rule L12). */
    RENEWS_SESSION
}
