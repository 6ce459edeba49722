package dev.doyen.stores.kubernetes;

/** Whether the Pod of a leader for life still stands. */
enum HolderLife {
    /** It does, or cannot be looked at: the lease is held. */
    STANDS,
    /** It is gone, has another uid, or has ended for good: nobody holds the lease, whatever it says. */
    GONE
}
