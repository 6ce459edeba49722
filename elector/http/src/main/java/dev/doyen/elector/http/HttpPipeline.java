package dev.doyen.elector.http;

import dev.doyen.elector.tls.ServerTls;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.haproxy.HAProxyMessageDecoder;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseEncoder;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLException;

/** Sets up the Netty pipeline for HTTP. All ports have the same deadlines and the limits of {@link HttpLimits}. */
public final class HttpPipeline extends ChannelInitializer<Channel> {

    private static final List<Class<? extends ChannelHandler>> HTTP_ONLY =
            List.of(HttpObjectAggregator.class, RequestDeadline.class, HttpRequestDecoder.class);

    private final HttpHandler site;
    private final ConnectionLimit connections;
    private final Optional<ServerTls> tls;
    private final long requestMillis;
    private final long keepAliveMillis;

    HttpPipeline(HttpHandler site, ConnectionLimit connections, Optional<ServerTls> tls) {
        this(site, connections, tls, HttpLimits.REQUEST_DEADLINE_MILLIS, HttpLimits.KEEP_ALIVE_MILLIS);
    }

    HttpPipeline(
            HttpHandler site,
            ConnectionLimit connections,
            Optional<ServerTls> tls,
            long requestMillis,
            long keepAliveMillis) {
        this.site = site;
        this.connections = connections;
        this.tls = tls;
        this.requestMillis = requestMillis;
        this.keepAliveMillis = keepAliveMillis;
    }

    @Override
    protected void initChannel(Channel channel) {
        var decoding = new HttpDecoderConfig()
                .setMaxInitialLineLength(HttpLimits.MAX_REQUEST_LINE_BYTES)
                .setMaxHeaderSize(HttpLimits.MAX_HEADER_BYTES);
        channel.pipeline().addLast(connections);
        if (beginsWithProxyHeader(channel)) {
            channel.pipeline().addLast(new HAProxyMessageDecoder()).addLast(new ProxyHeader());
        }
        tls.ifPresent(each -> channel.pipeline().addLast(new TlsDetector(each)));
        channel.pipeline()
                .addLast(new RequestHeadDecoder(decoding))
                .addLast(new HttpResponseEncoder())
                .addLast(new BodyLimit(site))
                .addLast(new RequestDeadline(requestMillis, keepAliveMillis))
                .addLast(new HttpRequestDecoder(site, connections));
    }

    static boolean beginsWithProxyHeader(Channel channel) {
        TrustedProxies proxies = ClientAddress.proxies(channel);
        return proxies.usesProxyProtocol()
                && channel.remoteAddress() instanceof InetSocketAddress peer
                && proxies.trusts(peer.getAddress());
    }

    /** Removes the handlers that only HTTP requests need, because the connection carries no further HTTP requests. */
    public static void leaveHttp(Channel channel) {
        for (var handler : HTTP_ONLY) {
            if (channel.pipeline().get(handler) != null) {
                channel.pipeline().remove(handler);
            }
        }
    }

    /**
     * Returns true for an {@link IOException} and for a failure of TLS. The network or the peer usually causes these
     * faults. A handler must catch its own exceptions, because the result is also true for its {@link IOException}.
     */
    public static boolean isConnectionFault(Throwable cause) {
        return cause instanceof IOException
                || (cause instanceof DecoderException && cause.getCause() instanceof SSLException);
    }

    /** Collects the body of a request. Rejects the request if the body is too large. */
    private static final class BodyLimit extends HttpObjectAggregator {
        private final HttpHandler site;

        BodyLimit(HttpHandler site) {
            super(site.maxBodyBytes());
            this.site = site;
        }

        @Override
        protected void handleOversizedMessage(ChannelHandlerContext ctx, HttpMessage oversized) {
            site.refusal(413, "The request's body is longer than " + site.maxBodyBytes() + " bytes.")
                    .sendAndClose(ctx);
        }
    }
}
