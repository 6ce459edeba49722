package dev.doyen.elector.http;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import java.net.InetSocketAddress;

/** The origin of a request, as far as the socket and the browser prove it. */
public final class RequestOrigin {

    private RequestOrigin() {}

    /**
     * Whether the request comes from this machine and asks for a loopback name.
     *
     * <p>The socket alone does not prove it: a foreign page whose name resolves to this machine uses the same socket.
     */
    public static boolean isThisMachine(ChannelHandlerContext ctx, FullHttpRequest request) {
        return ctx.channel().remoteAddress() instanceof InetSocketAddress peer
                && peer.getAddress().isLoopbackAddress()
                && Audience.LOOPBACK.knows(request.headers().get(HttpHeaderNames.HOST, ""));
    }

    /**
     * Whether a page of this host sent the request.
     *
     * <p>A browser sends the origin with every POST, and a page cannot change it. The scheme may be https, because a
     * TLS proxy may run in front of this port. RateLimits must also check the host itself.
     */
    public static boolean isOwnPage(FullHttpRequest request) {
        String host = request.headers().get(HttpHeaderNames.HOST, "");
        String origin = request.headers().get(HttpHeaderNames.ORIGIN, "");
        return origin.equalsIgnoreCase("http://" + host) || origin.equalsIgnoreCase("https://" + host);
    }
}
