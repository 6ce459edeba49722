package dev.doyen.cli;

import dev.doyen.elector.http.ListenAddress;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;

/** Finds the address with which other machines of the network reach this machine. */
final class NetworkAddress {

    /** Addresses that only documentation uses (RFC 5737, RFC 3849). Nothing is sent to them. */
    private static final List<String> ELSEWHERE = List.of("203.0.113.1", "2001:db8::1");

    private static final int ANY_PORT = 9;

    private NetworkAddress() {}

    /**
     * Returns the address with which this machine reaches other networks; empty if it has no route to another network.
     * The method prefers IPv4.
     */
    static Optional<InetAddress> find() {
        return ELSEWHERE.stream()
                .map(NetworkAddress::towards)
                .flatMap(Optional::stream)
                .findFirst();
    }

    /** Returns true if this machine has the address, and if other machines can use it. */
    static boolean isOurs(InetAddress address) {
        return isForOthers(address) && ListenAddress.isOurs(address);
    }

    private static Optional<InetAddress> towards(String destination) {
        // The system chooses the local address of a datagram socket when the socket is connected. This sends no packet.
        try (var socket = new DatagramSocket()) {
            socket.connect(new InetSocketAddress(destination, ANY_PORT));
            return Optional.of(socket.getLocalAddress()).filter(NetworkAddress::isForOthers);
        } catch (IOException | UncheckedIOException e) {
            return Optional.empty();
        }
    }

    private static boolean isForOthers(InetAddress address) {
        return !address.isAnyLocalAddress()
                && !address.isLoopbackAddress()
                && !address.isLinkLocalAddress()
                && !address.isMulticastAddress();
    }
}
