package dev.doyen.elector.http;

import java.net.Inet6Address;
import java.net.InetAddress;

/** Formats URLs as people type them. */
public final class Urls {

    private Urls() {}

    /** The root URL of a port; the host is {@code localhost} for a loopback or wildcard address. */
    public static String root(InetAddress bind, int port) {
        return "http://" + host(bind) + ":" + port + "/";
    }

    private static String host(InetAddress bind) {
        if (bind.isLoopbackAddress() || bind.isAnyLocalAddress()) {
            return "localhost";
        }
        return bind instanceof Inet6Address ? "[" + bind.getHostAddress() + "]" : bind.getHostAddress();
    }
}
