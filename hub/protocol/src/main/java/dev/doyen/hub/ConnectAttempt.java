package dev.doyen.hub;

import dev.doyen.hub.auth.Access;

/** A socket whose credentials are valid and that has no connection yet. */
record ConnectAttempt(SessionId session, ConnectParams params, Access access, String entropy) {}
