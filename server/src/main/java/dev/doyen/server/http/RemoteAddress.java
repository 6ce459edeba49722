package dev.doyen.server.http;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Who is at the other end of a socket. X-Forwarded-For is not looked at, for anybody may write anything there. Of IPv6 it is
 * the network of 64 bits: whoever has one address of it has them all.
 */
public final class RemoteAddress {

    private static final int IPV6_BYTES = 16;
    private static final int NETWORK_BYTES = 8;

    private RemoteAddress() {}

    /** Empty if it is unknown. */
    public static String of(@Nullable SocketAddress remote) {
        if (!(remote instanceof InetSocketAddress socket) || socket.getAddress() == null) {
            return "";
        }
        byte[] bytes = socket.getAddress().getAddress();
        if (bytes.length != IPV6_BYTES) {
            return socket.getAddress().getHostAddress();
        }
        Arrays.fill(bytes, NETWORK_BYTES, IPV6_BYTES, (byte) 0);
        try {
            return InetAddress.getByAddress(bytes).getHostAddress() + "/64";
        } catch (UnknownHostException e) {
            throw new IllegalStateException("sixteen bytes are an address", e);
        }
    }
}
