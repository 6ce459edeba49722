/**
 * The package connects this hub to other nodes through a shared log in Redis.
 *
 * <p>The hub's state machine defines the meaning of the log entries. Every atomic operation is a function in Redis
 * ({@code hub.lua}). docs/decisions/0017 explains the design. Start reading at {@code NodeLink}.
 */
@NullMarked
package dev.doyen.hub.server.nodes;

import org.jspecify.annotations.NullMarked;
