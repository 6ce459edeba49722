package dev.doyen.server;

import java.net.Inet6Address;
import java.net.InetAddress;

/** Addresses as people type them. */
public final class Urls {

    private Urls() {}

    /** The root of a port: the bound address, or {@code localhost} if that is loopback or means every address. */
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
