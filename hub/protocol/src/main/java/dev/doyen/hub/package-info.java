/**
 * The package is the hub without its sockets. The hub implements the Ably realtime protocol with claims and fences.
 *
 * <p>The package decides about connections, channels, presence, claims and fences. The package performs no I/O, and
 * calls only its subpackages and the core's value types. Durations use {@code Moment.nanos()}. The wall clock is used
 * only for the dates of messages and tokens. Randomness enters as {@code entropy} when a socket opens or a request
 * arrives. One thread at a time may call the package.
 *
 * <p>Start reading at {@link dev.doyen.hub.Hub}. The rules of claims and fences, C1 to C21, are in {@code
 * docs/spec/claims.md}.
 */
@NullMarked
package dev.doyen.hub;

import org.jspecify.annotations.NullMarked;
