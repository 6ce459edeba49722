package dev.doyen.elector;

/** The origins from which admin commands are accepted; reading the saved state counts as a command. */
public enum AdminAccess {
    /** None, because this program cannot carry them out. */
    REFUSED,
    /** Those from this machine (in Kubernetes: this pod). */
    LOOPBACK,
    /** Those from this machine, and those of {@link Admins} with a key. */
    ADMINS,
    /** Those of everybody who can reach the port. */
    ANYWHERE
}
