package dev.doyen.stores.kubernetes;

/** The status of the Pod that holds a non-expiring lease (rule K5). */
enum HolderPodStatus {
    /** The Pod has not ended, or the store cannot check the Pod. The store treats the lease as held. */
    PRESENT,
    /**
     * The Pod does not exist, has another uid, or has failed or succeeded. The lease is free, even if the Lease object
     * contains a holder.
     */
    GONE
}
