package dev.doyen.stores.kubernetes;

/** Whether the Pod of a non-expiring lease's holder still exists (rule K5). */
enum HolderPodStatus {
    /** The Pod exists, or cannot be read. The lease is held. */
    PRESENT,
    /** The Pod does not exist, has another uid, or has failed or succeeded. The lease is free, whatever it contains. */
    GONE
}
