package dev.doyen.hub;

/** One socket's life, numbered by the shell and never reused. A connection that resumes comes with a new session. */
public record SessionId(long value) {

    /** Of no socket. */
    static final SessionId NONE = new SessionId(-1);
}
