package dev.doyen.hub.connection;

import dev.doyen.hub.step.SessionId;
import dev.doyen.hub.step.StepContext;

/** Moves connections here from other nodes. */
public interface ConnectionMoves {

    /** Asks to move a connection here. None of this node's connections has the key. */
    void ask(StepContext step, ConnectAttempt attempt, String key);

    /** Handles the loss of a socket that waits for a connection. The connection may still arrive. */
    void lost(SessionId session);
}
