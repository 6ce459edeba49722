/**
 * Authentication and authorization: API keys, their tokens, capabilities and revocations.
 *
 * <p>The package decides who a client is and what it may do. It has no clock: each call passes the wall-clock time in
 * milliseconds since the epoch, because tokens are dated by it. No secret and no token appears in a message or a
 * {@code toString}. Threads: one at a time, as in the hub; the records are immutable. Start reading at
 * {@link dev.doyen.hub.auth.Authenticator}.
 */
@NullMarked
package dev.doyen.hub.auth;

import org.jspecify.annotations.NullMarked;
