package dev.doyen.elector.http;

import io.netty.channel.Channel;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.util.AttributeKey;
import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Determines the address of the client that sent a request, for rate limits.
 *
 * <p>If {@link TrustedProxies} contains the peer, the address comes from a header of the PROXY protocol or from
 * {@code X-Forwarded-For}. If the peer is not a trusted proxy, or if it sends no such header, the address is the
 * address of the socket. Any client can forge {@code X-Forwarded-For}. So the class reads the addresses in
 * {@code X-Forwarded-For} from right to left, and stops at the first address that is not a trusted proxy. The class
 * ignores the header {@code Forwarded} (RFC 7239), because a proxy that adds only {@code X-Forwarded-For} passes on the
 * client's {@code Forwarded} header.
 *
 * <p>Threads: the event loop of the channel.
 */
public final class ClientAddress {

    static final AttributeKey<TrustedProxies> PROXIES = AttributeKey.valueOf("doyen.trusted-proxies");

    /** The client's address in the header of the PROXY protocol. */
    private static final AttributeKey<InetAddress> STATED = AttributeKey.valueOf("doyen.proxy-protocol.address");

    /** Present if the connection began with a header of the PROXY protocol. */
    private static final AttributeKey<Boolean> HAS_HEADER = AttributeKey.valueOf("doyen.proxy-protocol.header");

    private static final String X_FORWARDED_FOR = "X-Forwarded-For";

    /** The maximum number of addresses that the class reads from a header. */
    private static final int MAX_HOPS = 20;

    private static final int IPV6_BYTES = 16;
    private static final int NETWORK_BYTES = 8;

    private ClientAddress() {}

    /**
     * Returns the client's address as text, or an empty string if it is unknown.
     *
     * <p>For IPv6 the result is the /64 network, because a client usually controls all addresses of its network.
     */
    public static String of(Channel channel, HttpRequest request) {
        InetAddress peer = peer(channel);
        if (peer == null) {
            return "";
        }
        TrustedProxies proxies = proxies(channel);
        // Read the header only if the peer is a trusted proxy. Most ports trust no proxy.
        return text(proxies.trusts(peer) ? client(peer, proxies, hops(request)) : peer);
    }

    /**
     * Returns the client's address before the first request, in the format of {@link #of}.
     *
     * <p>The result is empty if the peer is unknown, or is a trusted proxy that has sent no header of the PROXY protocol.
     * Such a proxy states the client's address only in its requests.
     */
    static Optional<String> ofConnection(Channel channel) {
        InetAddress peer = peer(channel);
        return peer == null || proxies(channel).trusts(peer) ? Optional.empty() : Optional.of(text(peer));
    }

    /** Returns true if the connection began with a header of the PROXY protocol. */
    static boolean isFromProxy(Channel channel) {
        return channel.hasAttr(HAS_HEADER);
    }

    /** Returns the proxies that this channel's port trusts. */
    static TrustedProxies proxies(Channel channel) {
        TrustedProxies proxies = channel.attr(PROXIES).get();
        return proxies == null ? TrustedProxies.NONE : proxies;
    }

    /**
     * Records that a proxy has sent a header of the PROXY protocol.
     *
     * @param address the client's address in the header; null if the header contains none
     */
    static void setStated(Channel channel, @Nullable String address) {
        channel.attr(HAS_HEADER).set(true);
        if (address != null) {
            channel.attr(STATED).set(NetUtil.createInetAddressFromIpAddressString(address));
        }
    }

    private static @Nullable InetAddress peer(Channel channel) {
        InetAddress stated = channel.hasAttr(STATED) ? channel.attr(STATED).get() : null;
        if (stated != null) {
            return stated;
        }
        return channel.remoteAddress() instanceof InetSocketAddress socket ? socket.getAddress() : null;
    }

    /**
     * Returns the address nearest to this server that is not a trusted proxy.
     *
     * <p>The method reads {@code hops} from the end. If all addresses are trusted proxies, or if the next address is
     * malformed, the result is the last valid address that the method has read.
     *
     * @param hops the addresses in the header, in order
     */
    private static InetAddress client(InetAddress peer, TrustedProxies proxies, List<String> hops) {
        InetAddress address = peer;
        for (int at = hops.size() - 1; at >= 0 && proxies.trusts(address); at--) {
            InetAddress before = NetUtil.createInetAddressFromIpAddressString(withoutPort(hops.get(at)));
            if (before == null) {
                return address;
            }
            address = before;
        }
        return address;
    }

    private static List<String> hops(HttpRequest request) {
        List<String> hops = new ArrayList<>();
        for (String value : request.headers().getAll(X_FORWARDED_FOR)) {
            for (String hop : value.split(",", -1)) {
                hops.add(hop.strip());
            }
        }
        return hops.subList(Math.max(0, hops.size() - MAX_HOPS), hops.size());
    }

    /** Removes the port that some proxies add: {@code 192.0.2.1:4711} or {@code [2001:db8::1]:4711}. */
    private static String withoutPort(String hop) {
        if (hop.startsWith("[")) {
            int end = hop.indexOf(']');
            return end < 0 ? hop : hop.substring(1, end);
        }
        int colon = hop.indexOf(':');
        return colon >= 0 && hop.indexOf(':', colon + 1) < 0 ? hop.substring(0, colon) : hop;
    }

    private static String text(InetAddress address) {
        byte[] bytes = address.getAddress();
        if (bytes.length != IPV6_BYTES) {
            return address.getHostAddress();
        }
        Arrays.fill(bytes, NETWORK_BYTES, IPV6_BYTES, (byte) 0);
        try {
            return InetAddress.getByAddress(bytes).getHostAddress() + "/64";
        } catch (UnknownHostException e) {
            throw new IllegalStateException("sixteen bytes are an address", e);
        }
    }
}
