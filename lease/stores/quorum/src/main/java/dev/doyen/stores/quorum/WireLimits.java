package dev.doyen.stores.quorum;

import java.time.Duration;

/**
 * The limits of {@link TcpWire}.
 *
 * @param connect how long to wait for a connection
 * @param reconnect the time between two attempts to connect to one address
 * @param proof how long the other side of a new connection has to prove that it knows the secret
 * @param keepAlive the time without a frame after which a side sends an empty one
 * @param silence the time without a byte after which a side closes the connection. If a network path was interrupted,
 *     TCP waits longer before each retransmission, so a new connection is faster
 * @param ownName how long to wait until the name of this process has an address
 * @param incoming the most connections that others may have open to this process
 * @param unproved the most connections among them whose other side has not proved that it knows the secret
 * @param queuedFrames the most frames that may wait for one connection
 * @param queuedBytes the most bytes that may wait for one connection
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
