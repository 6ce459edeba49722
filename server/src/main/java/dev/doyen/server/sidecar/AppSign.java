package dev.doyen.server.sidecar;

/** What is known of the app beside this sidecar. */
public enum AppSign {
    /** Nothing: there is no way to tell, or it was not seen yet. */
    UNKNOWN,
    LIVES,
    GONE
}
