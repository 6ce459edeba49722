package dev.doyen.lease;

/** How a leader prevents the expiry of its lease. */
public enum RenewalMode {
    /** The leader renews the record itself (rules L1, L2). */
    RENEWS_LEASE,
    /** The process renews its session, and the leader does not renew the record (rule L12). */
    RENEWS_SESSION
}
