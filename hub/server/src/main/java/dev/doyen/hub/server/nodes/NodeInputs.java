package dev.doyen.hub.server.nodes;

import dev.doyen.hub.log.Declined;
import dev.doyen.hub.log.Joined;
import dev.doyen.hub.log.Logged;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Receives the inputs that a hub gets from the log of the nodes.
 *
 * <p>After the hub has stopped, the futures complete and the inputs have no effect. Threads: any.
 */
public interface NodeInputs {

    /** This node has joined. Completes when the hub has processed it, exceptionally if the hub failed. */
    CompletableFuture<Void> joined(Joined joined);

    /** New log entries. Completes when the hub has processed them, exceptionally if the hub failed. */
    CompletableFuture<Void> logged(List<Logged> entries);

    void declined(long number, Declined why);

    /**
     * This node has lost its membership. Completes when the hub has dropped all pending effects.
     *
     * @param why a sentence for the clients, which are disconnected
     */
    CompletableFuture<Void> outOfTouch(String why);
}
