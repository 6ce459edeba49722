/**
 * Who a client is, and what it may do: API keys, the tokens made from them, capabilities and revocations.
 *
 * <p>No clock: the wall time, in milliseconds since the epoch, comes in with each question, because tokens are dated by
 * it. No secret and no token is in any message or {@code toString}. Threads: one at a time, like the hub; the records
 * are immutable. Start at {@link dev.doyen.hub.auth.Authenticator}.
 */
@NullMarked
package dev.doyen.hub.auth;

import org.jspecify.annotations.NullMarked;
