package dev.doyen.hub.connection;

import dev.doyen.hub.auth.Access;
import dev.doyen.hub.channel.ConnectParams;
import dev.doyen.hub.step.SessionId;

/** A socket whose credentials are valid and that has no connection yet. */
public record ConnectAttempt(SessionId session, ConnectParams params, Access access, String entropy) {}
