package dev.doyen.sidecar;

/**
 * The time at which a sidecar releases its lease in a shutdown.
 *
 * <p>The sidecar uses this value only if it cannot observe the app or has not found the app yet.
 */
public enum Release {
    /**
     * The sidecar releases the lease at once. Use this value for a native sidecar, which receives its signal after the
     * app's containers have ended.
     */
    AT_ONCE,
    /**
     * The sidecar releases the lease when the app reports its stop. Without this report, the sidecar releases the lease
     * two seconds before the grace period ends. Use this value for a plain container.
     */
    WAIT
}
