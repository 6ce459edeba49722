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
 * <p>{@code localhost} means both loopback addresses if the machine has both, because clients may try either one first.
 *
 * @param host a name or an address; empty for all addresses of this machine
 * @param port 0 for any free port
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

    /** All addresses to listen on; never empty. The first is the one to print. */
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

    private static boolean isOurs(InetAddress address) {
        try {
            return NetworkInterface.getByInetAddress(address) != null;
        } catch (SocketException e) {
            return false;
        }
    }

    private static IllegalArgumentException refused(String text) {
        return new IllegalArgumentException(
                "'" + text + "' is no address to listen on; write HOST:PORT with a port from 0" + " to " + MAX_PORT
                        + ", like localhost:4040, 0.0.0.0:4041 or [::1]:4040");
    }

    @Override
    public String toString() {
        return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
    }
}
