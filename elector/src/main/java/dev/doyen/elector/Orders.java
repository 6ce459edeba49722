package dev.doyen.elector;

/** From whom deeds are taken: whatever changes something, and the hand-over state. */
public enum Orders {
    /** From nobody: there is nobody here to carry them out. */
    REFUSED,
    /** From this machine (in Kubernetes: this pod) only. */
    LOOPBACK,
    /** From this machine, and from who proves to be one of the {@link Admins}. */
    ADMINS,
    /** From whoever reaches the port. */
    ANYWHERE
}
