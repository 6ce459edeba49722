package dev.doyen.elector.http;

import dev.doyen.elector.AdminCommand;
import java.util.concurrent.CompletionStage;

/**
 * Carries out admin commands.
 *
 * <p>Threads: called on the elector's event loop. It returns at once and may complete the reply on any thread.
 */
@FunctionalInterface
public interface AdminCommands {

    /** Returns the reply within a bounded time; a command that fails also gets a reply. */
    CompletionStage<HttpReply> carryOut(AdminCommand command);
}
