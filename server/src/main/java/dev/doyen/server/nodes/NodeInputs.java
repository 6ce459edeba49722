package dev.doyen.server.nodes;

import dev.doyen.hub.nodes.Declined;
import dev.doyen.hub.nodes.Joined;
import dev.doyen.hub.nodes.Logged;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** What a hub is told of the log that it shares. Threads: any. */
public interface NodeInputs {

    /** Completes once the hub has taken it in; exceptionally if it could not. */
    CompletableFuture<Void> joined(Joined joined);

    /** Likewise. */
    CompletableFuture<Void> logged(List<Logged> entries);

    void declined(long number, Declined why);

    /**
     * Completes once the hub wants nothing more of what it wanted before.
     *
     * @param why a sentence for clients, who are told to go elsewhere
     */
    CompletableFuture<Void> outOfTouch(String why);
}
