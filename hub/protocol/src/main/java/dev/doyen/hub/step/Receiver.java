package dev.doyen.hub.step;

import org.jspecify.annotations.Nullable;

/** A connection to which a step sends frames. */
public interface Receiver {

    /** Returns the connection's socket, or null if the connection has no socket now. */
    @Nullable
    SessionId session();

    /** Records the time at which the hub has sent a frame. */
    void sentAt(long nowNanos);
}
