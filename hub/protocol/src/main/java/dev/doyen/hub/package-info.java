/**
 * The hub without its sockets: the Ably realtime protocol, with claims and fences.
 *
 * <p>The package decides about connections, channels, presence, claims and fences. It performs no I/O, and calls only
 * its subpackages and the core's value types. Durations use {@code Moment.nanos()}; the wall clock only dates messages
 * and tokens. Randomness enters as {@code entropy} when a socket opens or a request arrives. Threads: one at a time.
 *
 * <p>Start reading at {@link dev.doyen.hub.Hub}. {@code docs/spec/claims.md} has the rules of claims and fences, C1 to
 * C20.
 */
@NullMarked
package dev.doyen.hub;

import org.jspecify.annotations.NullMarked;
