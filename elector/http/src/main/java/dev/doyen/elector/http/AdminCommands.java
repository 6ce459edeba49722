package dev.doyen.elector.http;

import dev.doyen.elector.AcceptedCommand;
import java.util.concurrent.CompletionStage;

/**
 * Carries out admin commands.
 *
 * <p>Threads: the elector's event loop calls this interface. An implementation returns at once, and may complete the
 * reply on any thread.
 */
@FunctionalInterface
public interface AdminCommands {

    /** Carries out a command. The result completes with a reply within a bounded time, even if the command fails. */
    CompletionStage<HttpReply> carryOut(AcceptedCommand command);
}
