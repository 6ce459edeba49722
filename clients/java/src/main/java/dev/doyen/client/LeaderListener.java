package dev.doyen.client;

import dev.doyen.client.state.LeaderState;

/** Receives changes of the leader. */
@FunctionalInterface
public interface LeaderListener {

    /**
     * Receives the new state. The first call reports the present state.
     *
     * <p>The watch's only thread makes the calls, in order. It reads nothing from the elector meanwhile, so the state
     * ages. Hand long work to another thread. Exceptions are logged.
     */
    void changed(LeaderState state);
}
