package dev.doyen.stores.quorum;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Comparator;
import java.util.List;

/**
 * The address of a process: {@code host:port}.
 *
 * <p>The host can be a name with several addresses. Each connection attempt resolves the name again, because a
 * restarted pod has another address.
 */
record MemberAddress(String host, int port) {

    private static final int MAX_PORT = 65_535;

    /** Parses {@code host:port}; the port may be 0. */
    static MemberAddress of(String address) {
        int colon = address.lastIndexOf(':');
        String port = address.substring(colon + 1);
        if (colon < 1 || !port.matches("[0-9]{1,5}") || Integer.parseInt(port) > MAX_PORT) {
            throw new IllegalArgumentException(
                    "\"" + address + "\" is not the address of a member; write host:port, such as 10.0.0.1:7800");
        }
        return new MemberAddress(address.substring(0, colon), Integer.parseInt(port));
    }

    /** Returns all current addresses of the host, at least one, in a stable order. */
    List<InetSocketAddress> resolve(HostNames names) throws UnknownHostException {
        return names.addresses(host).stream()
                .sorted(Comparator.comparing(InetAddress::getHostAddress))
                .map(each -> new InetSocketAddress(each, port))
                .toList();
    }

    @Override
    public String toString() {
        return host + ":" + port;
    }
}
