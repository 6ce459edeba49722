package dev.doyen.stores.quorum;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Where a process is found: {@code host:port}. The host may be a name with several addresses. A name is resolved at each
 * connection, because a pod comes back with another address.
 */
record MemberAddress(String host, int port) {

    private static final int MAX_PORT = 65_535;

    /** Reads {@code host:port}; the port may be 0. */
    static MemberAddress of(String address) {
        int colon = address.lastIndexOf(':');
        String port = address.substring(colon + 1);
        if (colon < 1 || !port.matches("[0-9]{1,5}") || Integer.parseInt(port) > MAX_PORT) {
            throw new IllegalArgumentException(
                    "\"" + address + "\" is not the address of a member; write host:port, such as 10.0.0.1:7800");
        }
        return new MemberAddress(address.substring(0, colon), Integer.parseInt(port));
    }

    /** Returns all addresses that the host has now, at least one, in an order that does not change. */
    List<InetSocketAddress> resolve() throws UnknownHostException {
        return Arrays.stream(InetAddress.getAllByName(host))
                .sorted(Comparator.comparing(InetAddress::getHostAddress))
                .map(each -> new InetSocketAddress(each, port))
                .toList();
    }

    @Override
    public String toString() {
        return host + ":" + port;
    }
}
