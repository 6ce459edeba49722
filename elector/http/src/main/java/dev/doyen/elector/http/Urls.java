package dev.doyen.elector.http;

import java.net.Inet6Address;
import java.net.InetAddress;

/** Formats URLs as users type them. */
public final class Urls {

    private Urls() {}

    /**
     * Returns the root URL of a port. The host is {@code localhost} for a loopback or wildcard address.
     *
     * @param scheme {@code http} or {@code https}
     */
    public static String root(String scheme, InetAddress bind, int port) {
        return scheme + "://" + host(bind) + ":" + port + "/";
    }

    private static String host(InetAddress bind) {
        if (bind.isLoopbackAddress() || bind.isAnyLocalAddress()) {
            return "localhost";
        }
        return bind instanceof Inet6Address ? "[" + bind.getHostAddress() + "]" : bind.getHostAddress();
    }
}
