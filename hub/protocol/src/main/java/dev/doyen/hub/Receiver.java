package dev.doyen.hub;

import org.jspecify.annotations.Nullable;

/** A connection to which a step sends frames. */
interface Receiver {

    /** Returns the connection's socket; null if it has none now. */
    @Nullable
    SessionId session();

    /** Records that the hub has sent a frame. */
    void sentAt(long nowNanos);
}
