package dev.doyen.hub.connection;

import dev.doyen.hub.auth.Access;
import dev.doyen.hub.channel.ConnectParams;
import dev.doyen.hub.channel.Connection;
import dev.doyen.hub.quota.Usage;
import dev.doyen.hub.settings.HubSettings;
import dev.doyen.hub.step.SessionId;

/**
 * A socket that has valid credentials but no connection yet.
 *
 * @param usage the accounts of the client, which do not count the connection yet
 */
public record ConnectAttempt(SessionId session, ConnectParams params, Access access, Usage usage, String entropy) {

    /** Returns a copy without the socket, which was lost. */
    public ConnectAttempt withoutSession() {
        return new ConnectAttempt(SessionId.NONE, params, access, usage, entropy);
    }

    public Connection connection(String id, HubSettings settings, long nowNanos) {
        return new Connection(id, params, access, usage, settings, nowNanos);
    }
}
