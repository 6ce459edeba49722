package dev.doyen.elector.http;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import java.io.IOException;
import java.lang.System.Logger.Level;

/**
 * Checks requests and passes the valid ones to the site.
 *
 * <p>It rejects malformed requests, and closes the connection if a request arrives while an earlier one still waits for
 * its response. It stops reading from a peer that does not read its responses.
 */
final class HttpRequestDecoder extends SimpleChannelInboundHandler<FullHttpRequest> {

    private static final System.Logger LOG = System.getLogger(HttpRequestDecoder.class.getName());

    private final HttpHandler site;

    HttpRequestDecoder(HttpHandler site) {
        this.site = site;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext ctx, FullHttpRequest request) {
        if (LateReply.isOwed(ctx.channel())) {
            ctx.close();
            return;
        }
        if (request.decoderResult().isFailure()) {
            refusal(request.decoderResult().cause()).sendAndClose(ctx);
            return;
        }
        var version = request.protocolVersion();
        if (!version.equals(HttpVersion.HTTP_1_1) && !version.equals(HttpVersion.HTTP_1_0)) {
            site.refusal(505, "Only HTTP/1.1 and HTTP/1.0 are spoken here.").sendAndClose(ctx);
            return;
        }
        site.serve(ctx, request);
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        ctx.channel().config().setAutoRead(ctx.channel().isWritable());
        ctx.fireChannelWritabilityChanged();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (!(cause instanceof IOException)) {
            LOG.log(Level.WARNING, "an HTTP request failed", cause);
        }
        ctx.close();
    }

    private HttpReply refusal(Throwable cause) {
        if (cause instanceof TooLongHttpLineException) {
            return site.refusal(
                    414, "The request line is longer than " + HttpLimits.MAX_REQUEST_LINE_BYTES + " bytes.");
        }
        if (cause instanceof TooLongHttpHeaderException) {
            return site.refusal(431, "The header fields are longer than " + HttpLimits.MAX_HEADER_BYTES + " bytes.");
        }
        return site.refusal(400, "This is no well-formed HTTP/1.1 request.");
    }
}
