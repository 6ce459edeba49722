/**
 * Connects this hub to other nodes through a shared log in Redis.
 *
 * <p>The hub's machine defines the meaning of the log entries. Everything atomic is a function in Redis
 * ({@code hub.lua}). Source: docs/decisions/0017. Start with {@code NodeLink}.
 */
@NullMarked
package dev.doyen.hub.server.nodes;

import org.jspecify.annotations.NullMarked;
