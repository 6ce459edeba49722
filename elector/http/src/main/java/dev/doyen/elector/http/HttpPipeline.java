package dev.doyen.elector.http;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import java.util.List;

/** Sets up the Netty pipeline for HTTP; handlers, limits and deadlines are the same on all ports. */
public final class HttpPipeline extends ChannelInitializer<Channel> {

    private static final List<Class<? extends ChannelHandler>> HTTP_ONLY =
            List.of(HttpObjectAggregator.class, RequestDeadline.class, HttpRequestDecoder.class);

    private final HttpHandler site;
    private final ConnectionLimit connections;
    private final long requestMillis;
    private final long keepAliveMillis;

    public HttpPipeline(HttpHandler site, ConnectionLimit connections) {
        this(site, connections, HttpLimits.REQUEST_DEADLINE_MILLIS, HttpLimits.KEEP_ALIVE_MILLIS);
    }

    HttpPipeline(HttpHandler site, ConnectionLimit connections, long requestMillis, long keepAliveMillis) {
        this.site = site;
        this.connections = connections;
        this.requestMillis = requestMillis;
        this.keepAliveMillis = keepAliveMillis;
    }

    @Override
    protected void initChannel(Channel channel) {
        var decoding = new HttpDecoderConfig()
                .setMaxInitialLineLength(HttpLimits.MAX_REQUEST_LINE_BYTES)
                .setMaxHeaderSize(HttpLimits.MAX_HEADER_BYTES);
        channel.pipeline()
                .addLast(connections)
                .addLast(new HttpServerCodec(decoding))
                .addLast(new BodyLimit(site))
                .addLast(new RequestDeadline(requestMillis, keepAliveMillis))
                .addLast(new HttpRequestDecoder(site));
    }

    /** Removes the HTTP-only handlers, because the connection now carries another protocol. */
    public static void leaveHttp(Channel channel) {
        for (var handler : HTTP_ONLY) {
            if (channel.pipeline().get(handler) != null) {
                channel.pipeline().remove(handler);
            }
        }
    }

    /** Collects the body of a request, or rejects it if it is too large. */
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
