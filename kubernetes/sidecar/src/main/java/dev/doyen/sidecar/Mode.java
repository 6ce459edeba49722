package dev.doyen.sidecar;

/** How long a leader leads. */
public enum Mode {
    /** It leads as long as it renews its lease. By its own clock it steps down before another candidate may lead. */
    LEASE,
    /**
     * It leads until this program ends, steps down on request, or sees another leader (a non-expiring lease).
     *
     * <p>It is meant for apps that read the leader only once. An unavailable store does not change the reported leader.
     */
    NON_EXPIRING
}
