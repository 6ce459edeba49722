package dev.doyen.server.http;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import java.net.InetSocketAddress;

/** Where a request comes from, as far as the socket and the browser prove it. */
public final class RequestOrigin {

    private RequestOrigin() {}

    /**
     * Whether this machine asks by a loopback name of it. The socket alone is not enough: a page of a foreign name that
     * resolves to this machine uses the same socket.
     */
    public static boolean isThisMachine(ChannelHandlerContext ctx, FullHttpRequest request) {
        return ctx.channel().remoteAddress() instanceof InetSocketAddress peer
                && peer.getAddress().isLoopbackAddress()
                && Audience.LOOPBACK.knows(request.headers().get(HttpHeaderNames.HOST, ""));
    }

    /**
     * Whether a page of this host sent the request. A browser sends the origin with every POST, and no page can change it.
     * The scheme is https if something in front of this port has TLS. Check the host itself too.
     */
    public static boolean isOwnPage(FullHttpRequest request) {
        String host = request.headers().get(HttpHeaderNames.HOST, "");
        String origin = request.headers().get(HttpHeaderNames.ORIGIN, "");
        return origin.equalsIgnoreCase("http://" + host) || origin.equalsIgnoreCase("https://" + host);
    }
}
