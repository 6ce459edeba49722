package dev.doyen.elector.http;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The remote address of a connection, for rate limits.
 *
 * <p>X-Forwarded-For is ignored, because any client can forge it. For IPv6 the result is the /64 network, because a
 * client usually controls all addresses of its network.
 */
public final class RemoteAddress {

    private static final int IPV6_BYTES = 16;
    private static final int NETWORK_BYTES = 8;

    private RemoteAddress() {}

    /** Returns the address as text, or an empty string if it is unknown. */
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
