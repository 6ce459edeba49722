package dev.doyen.hub.step;

import org.jspecify.annotations.Nullable;

/** A connection to which a step sends frames. */
public interface Receiver {

    /** Returns the connection's socket; null if it has none now. */
    @Nullable
    SessionId session();

    /** Records that the hub has sent a frame. */
    void sentAt(long nowNanos);
}
