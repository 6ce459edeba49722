package dev.doyen.elector.http;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;

/**
 * A host and port to listen on, parsed from {@code HOST:PORT}.
 *
 * <p>{@code localhost} includes {@code 127.0.0.1} and, if the machine has it, {@code ::1}, because some clients try the
 * IPv4 address first and other clients the IPv6 address.
 *
 * @param host a name or an address; empty for all addresses of this machine
 * @param port the port to listen on; 0 for any free port
 */
public record ListenAddress(String host, int port) {

    private static final int MAX_PORT = 65_535;

    /**
     * Parses {@code localhost:4040}, {@code 0.0.0.0:4041}, {@code :4041} or {@code [::1]:4040}.
     *
     * @throws IllegalArgumentException if the text has another form
     */
    public static ListenAddress parse(String text) {
        int colon = text.lastIndexOf(':');
        var host = colon < 0 ? "" : text.substring(0, colon);
        boolean bracketed = host.startsWith("[") && host.endsWith("]");
        if (colon < 0
                || (host.indexOf(':') >= 0 && !bracketed)
                || !text.substring(colon + 1).matches("[0-9]{1,5}")) {
            throw refused(text);
        }
        int port = Integer.parseInt(text.substring(colon + 1));
        if (port > MAX_PORT) {
            throw refused(text);
        }
        return new ListenAddress(bracketed ? host.substring(1, host.length() - 1) : host, port);
    }

    /**
     * Returns the addresses to listen on. The list is never empty. Programs print the first address.
     *
     * @throws UnknownHostException if the host name has no address
     */
    public List<InetAddress> addresses() throws UnknownHostException {
        if (host.isEmpty()) {
            return List.of(new InetSocketAddress(0).getAddress());
        }
        if (!host.equals("localhost")) {
            return List.of(InetAddress.getByName(host));
        }
        var addresses = new ArrayList<InetAddress>();
        addresses.add(InetAddress.getByAddress("localhost", new byte[] {127, 0, 0, 1}));
        var six = new byte[16];
        six[15] = 1;
        var loopback = InetAddress.getByAddress("localhost", six);
        if (isOurs(loopback)) {
            addresses.add(loopback);
        }
        return addresses;
    }

    /** Returns true if a network interface of this machine has the address. */
    public static boolean isOurs(InetAddress address) {
        try {
            return NetworkInterface.getByInetAddress(address) != null;
        } catch (SocketException e) {
            return false;
        }
    }

    private static IllegalArgumentException refused(String text) {
        return new IllegalArgumentException(
                "'" + text + "' is not an address to listen on; write HOST:PORT with a port from 0" + " to " + MAX_PORT
                        + ", like localhost:4040, 0.0.0.0:4041 or [::1]:4040");
    }

    @Override
    public String toString() {
        return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
    }
}
