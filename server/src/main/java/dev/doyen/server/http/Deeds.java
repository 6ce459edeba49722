package dev.doyen.server.http;

import dev.doyen.elector.Deed;
import java.util.concurrent.CompletionStage;

/** Carries orders out. Threads: called on the elector's event loop; returns at once, and replies from any thread. */
@FunctionalInterface
public interface Deeds {

    /** The reply, in a bounded time; one that cannot be carried out is a reply too. */
    CompletionStage<HttpReply> carryOut(Deed deed);
}
