package dev.doyen.sidecar;

/** When to release the lease on shutdown if the sidecar cannot observe the app. */
public enum Release {
    /** At once. Correct for a native sidecar, which receives its signal after the app's containers have ended. */
    AT_ONCE,
    /** When the app reports that it has stopped, or two seconds before the grace period ends; for a plain container. */
    WAIT
}
