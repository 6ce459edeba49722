package dev.doyen.hub.step;

/**
 * The identifier of one socket. The driver assigns the identifier and never reuses it. A resumed connection has a new
 * session.
 */
public record SessionId(long value) {

    /** The identifier that means no socket. */
    public static final SessionId NONE = new SessionId(-1);
}
