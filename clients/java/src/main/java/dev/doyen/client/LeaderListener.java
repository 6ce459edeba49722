package dev.doyen.client;

import dev.doyen.client.state.LeaderState;

/** A listener that receives each change of the leader. */
@FunctionalInterface
public interface LeaderListener {

    /**
     * Receives the new state. The first call reports the present state.
     *
     * <p>The watch makes all calls on its only thread, in order. During a call, the client reads no events from the
     * elector, and the last answer can become outdated. Run long work on another thread. Exceptions are logged.
     */
    void changed(LeaderState state);
}
