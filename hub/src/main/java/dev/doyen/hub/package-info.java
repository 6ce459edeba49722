/**
 * The hub without its sockets: connections, channels, presence, claims and fences of the Ably realtime protocol.
 *
 * <p>Clocks: durations are measured on {@code Moment.nanos()}; the wall clock is only stamped on messages. Randomness
 * comes in as {@code entropy} when a socket opens. One thread at a time. Start at {@link dev.doyen.hub.Hub}; the rules
 * of claims and fences, C1 to C19, are in {@code docs/spec/claims.md}.
 */
@NullMarked
package dev.doyen.hub;

import org.jspecify.annotations.NullMarked;
