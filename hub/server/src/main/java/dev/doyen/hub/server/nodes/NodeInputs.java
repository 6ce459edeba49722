package dev.doyen.hub.server.nodes;

import dev.doyen.hub.log.Declined;
import dev.doyen.hub.log.Joined;
import dev.doyen.hub.log.Logged;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Receives the inputs that a hub gets from the log of the nodes.
 *
 * <p>After the hub has stopped, the futures complete and the inputs have no effect. Any thread may call the methods.
 */
public interface NodeInputs {

    /**
     * Called when this node has joined. The future completes when the hub has processed the input, and completes
     * exceptionally if the hub failed.
     */
    CompletableFuture<Void> joined(Joined joined);

    /**
     * Called with new log entries. The future completes when the hub has processed the entries, and completes
     * exceptionally if the hub failed.
     */
    CompletableFuture<Void> logged(List<Logged> entries);

    void declined(long number, Declined why);

    /**
     * Called when this node has lost its membership. The future completes when the hub has processed the input, and
     * completes exceptionally if the hub failed.
     *
     * @param why a sentence for the clients that the hub disconnects
     */
    CompletableFuture<Void> outOfTouch(String why);
}
