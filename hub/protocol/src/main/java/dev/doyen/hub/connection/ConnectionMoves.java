package dev.doyen.hub.connection;

import dev.doyen.hub.auth.KeyChange;
import dev.doyen.hub.channel.Connection;
import dev.doyen.hub.step.SessionId;
import dev.doyen.hub.step.StepContext;

/** Moves connections from other nodes to this node. */
public interface ConnectionMoves {

    /**
     * Asks the other nodes to move a connection to this node. The caller has found no connection of this node with the
     * key.
     */
    void request(StepContext step, ConnectAttempt attempt, String key);

    /**
     * Handles the loss of a socket that waits for a connection from another node. The connection can still arrive after
     * this call.
     */
    void lost(SessionId session);

    /** Disconnects the sockets that wait for a connection and whose key has changed. */
    void keysChanged(StepContext step, KeyChange change);

    /** Handles the end of a connection of this node. Its members can still be present. */
    void ended(StepContext step, Connection connection);
}
