/**
 * The package authenticates and authorizes clients by API keys, tokens, capabilities and revocations.
 *
 * <p>The package decides who a client is and what the client may do. The package has no clock. The callers pass the
 * wall-clock time in milliseconds since the epoch, because tokens contain wall-clock times. No secret and no token
 * appears in an error message or a {@code toString}. One thread at a time may call the package, and the records are
 * immutable. Start reading at {@link dev.doyen.hub.auth.Authenticator}.
 */
@NullMarked
package dev.doyen.hub.auth;

import org.jspecify.annotations.NullMarked;
