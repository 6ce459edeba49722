package dev.doyen.stores.quorum;

import java.time.Duration;

/**
 * The limits of {@link TcpWire}.
 *
 * @param connect how long to wait for a connection
 * @param reconnect the time from one attempt to connect to the next one to the same address
 * @param proof how long the other side of a new connection has to prove that it knows the secret
 * @param keepAlive after this time without a frame a side sends an empty one
 * @param silence after this time without a byte a side closes the connection. TCP itself waits longer and longer before it
 *     sends again on a line that was cut, so a new connection is faster
 * @param ownName how long to wait until the name of this process has an address
 * @param incoming connections that others may have open to this process
 * @param unproved connections among them whose other side has not proved that it knows the secret
 * @param queuedFrames frames that may wait for one connection
 * @param queuedBytes their bytes together
 */
record WireLimits(
        Duration connect,
        Duration reconnect,
        Duration proof,
        Duration keepAlive,
        Duration silence,
        Duration ownName,
        int incoming,
        int unproved,
        int queuedFrames,
        int queuedBytes) {

    static final WireLimits DEFAULT = new WireLimits(
            Duration.ofMillis(500),
            Duration.ofMillis(100),
            Duration.ofSeconds(2),
            Duration.ofSeconds(1),
            Duration.ofMillis(2_500),
            Duration.ofMinutes(1),
            1_000,
            64,
            10_000,
            Wire.MAX_FRAME);
}
