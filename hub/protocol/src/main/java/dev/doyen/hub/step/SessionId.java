package dev.doyen.hub.step;

/** Identifies one socket. The driver assigns it and never reuses it. A resumed connection has a new session. */
public record SessionId(long value) {

    /** Stands for no socket. */
    public static final SessionId NONE = new SessionId(-1);
}
