package dev.doyen.elector.http;

import dev.doyen.log.FaultLog;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import java.util.regex.Pattern;

/**
 * Checks connections and requests, and passes valid requests to the handler of the port.
 *
 * <p>The decoder rejects malformed requests. The decoder accepts a URL as the target of a request. The decoder closes
 * the connection if a request arrives while an earlier request still waits for its response. The decoder stops reading
 * from a client that does not read its responses.
 */
final class HttpRequestDecoder extends SimpleChannelInboundHandler<FullHttpRequest> {

    /** The faults of all connections. A client must not fill the log with requests that fail. */
    private static final FaultLog FAULTS = new FaultLog(System.getLogger(HttpRequestDecoder.class.getName()));

    /** A request target in the absolute form, which clients of proxies send. */
    private static final Pattern URL =
            Pattern.compile("https?://(?<host>[^/?#]*)(?<rest>.*)", Pattern.CASE_INSENSITIVE);

    private final HttpHandler site;
    private final ConnectionLimit connections;

    HttpRequestDecoder(HttpHandler site, ConnectionLimit connections) {
        this.site = site;
        this.connections = connections;
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        if (!HttpPipeline.beginsWithProxyHeader(ctx.channel())) {
            admit(ctx);
        }
        ctx.fireChannelActive();
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event.equals(ProxyHeader.READ)) {
            admit(ctx);
        }
        ctx.fireUserEventTriggered(event);
    }

    private void admit(ChannelHandlerContext ctx) {
        switch (connections.admit(ctx.channel())) {
            case ADMITTED -> {}
            case REJECTED ->
                site.refusal(429, connections.rejection(ctx.channel()))
                        .with("Retry-After", HttpLimits.RETRY_AFTER_SECONDS)
                        .sendAndClose(ctx);
            case DROPPED -> ctx.close();
        }
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
            site.refusal(505, "Only HTTP/1.1 and HTTP/1.0 are supported.").sendAndClose(ctx);
            return;
        }
        if (!hasValidHost(request)) {
            site.refusal(400, "A request must have one Host header (RFC 9112, section 3.2).")
                    .sendAndClose(ctx);
            return;
        }
        if (!toOriginForm(request)) {
            site.refusal(400, "A URL in the request line must contain a host and no user (RFC 9110, section 4.2).")
                    .sendAndClose(ctx);
            return;
        }
        try {
            site.serve(ctx, request);
        } catch (Throwable e) {
            // This method reports the fault, because exceptionCaught cannot distinguish an IOException of the handler
            // from a fault of the network.
            fail(ctx, e);
        }
    }

    /**
     * Logs a fault of a handler, and closes the connection. The client receives no response, because the handler has
     * possibly sent a part of its response.
     */
    static void fail(ChannelHandlerContext ctx, Throwable fault) {
        FAULTS.report("an HTTP request", fault);
        ctx.close();
    }

    /** Returns true if the request has exactly one Host header. An HTTP/1.0 request may have no Host header. */
    private static boolean hasValidHost(FullHttpRequest request) {
        int hosts = request.headers().getAll(HttpHeaderNames.HOST).size();
        return hosts == 1 || (hosts == 0 && request.protocolVersion().equals(HttpVersion.HTTP_1_0));
    }

    /**
     * Replaces a URL in the request line by its path and query, and the Host header by the host of the URL (RFC 9112,
     * section 3.2.2). Returns false if the host is missing or contains a user.
     */
    private static boolean toOriginForm(FullHttpRequest request) {
        var url = URL.matcher(request.uri());
        if (!url.matches()) {
            return true;
        }
        String host = url.group("host");
        String rest = url.group("rest");
        request.setUri(rest.startsWith("/") ? rest : "/" + rest);
        request.headers().set(HttpHeaderNames.HOST, host);
        return !host.isEmpty() && host.indexOf('@') < 0;
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        ctx.channel().config().setAutoRead(ctx.channel().isWritable());
        ctx.fireChannelWritabilityChanged();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (HttpPipeline.isConnectionFault(cause)) {
            ctx.close();
        } else {
            fail(ctx, cause);
        }
    }

    private HttpReply refusal(Throwable cause) {
        if (cause instanceof TooLongHttpLineException) {
            return site.refusal(
                    414, "The request line is longer than " + HttpLimits.MAX_REQUEST_LINE_BYTES + " bytes.");
        }
        if (cause instanceof TooLongHttpHeaderException) {
            return site.refusal(431, "The header fields are longer than " + HttpLimits.MAX_HEADER_BYTES + " bytes.");
        }
        return site.refusal(400, "This is not a well-formed HTTP/1.1 request.");
    }
}
