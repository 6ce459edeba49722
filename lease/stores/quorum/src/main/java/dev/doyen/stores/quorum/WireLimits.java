package dev.doyen.stores.quorum;

import java.time.Duration;

/**
 * The limits of {@link TcpWire}.
 *
 * @param connect the time limit for opening a connection
 * @param reconnect the time between two attempts to connect to the same address
 * @param proof the time within which the peer of a new connection must prove that it has the secret
 * @param keepAlive the time without a sent frame after which a side sends an empty frame
 * @param silence the time without a received byte after which a side closes the connection. This helps after an
 *     interruption of the network: a new connection works sooner than the old one, because TCP waits longer and longer
 *     before it retransmits on the old one
 * @param ownName the maximum time to wait until the name of this process has an address
 * @param incoming the maximum number of connections that other processes may have open to this process
 * @param unproved the maximum number of connections whose peer has not proved that it has the secret
 * @param queuedFrames the maximum number of frames that may wait for one connection
 * @param queuedBytes the maximum number of bytes that may wait for one connection
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
