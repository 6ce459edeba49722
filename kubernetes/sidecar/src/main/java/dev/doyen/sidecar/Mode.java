package dev.doyen.sidecar;

/** The condition that ends a leadership. */
public enum Mode {
    /**
     * The candidate leads as long as it renews its lease. The candidate steps down, by its own clock, before another
     * candidate may lead.
     */
    LEASE,
    /**
     * The candidate leads with a non-expiring lease. It leads until this program ends, until it resigns, is paused or
     * becomes unhealthy, or until the record contains another leader.
     *
     * <p>This mode is for apps that read the leader only once. An unavailable store does not change the reported
     * leader.
     */
    NON_EXPIRING
}
