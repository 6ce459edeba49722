package dev.doyen.server.sidecar;

/** What to do with the lease when this sidecar is told to end, and there is no sign of the app. */
public enum Release {
    /** Gives it back at once: right for a native sidecar, which is told after the app's containers have ended. */
    AT_ONCE,
    /** Waits until the app says that it has stopped, or two seconds before the grace is over: for a plain container. */
    WAIT
}
