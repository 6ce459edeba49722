package dev.doyen.sidecar;

/** The result of the last check of the app's processes or port. */
public enum AppSign {
    /** The sidecar cannot observe the app, or has not found the app yet. */
    UNKNOWN,
    RUNNING,
    ENDED
}
