package dev.doyen.sidecar;

/** The sidecar's knowledge about the app's processes or port. */
public enum AppSign {
    /** Nothing: the sidecar cannot observe the app, or has not seen it yet. */
    UNKNOWN,
    LIVES,
    GONE
}
