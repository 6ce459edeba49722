package dev.doyen.elector.http;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** Turns an HTTP response into an event stream. Threads: the socket's event loop. */
public final class EventStream {

    private EventStream() {}

    /**
     * Answers a HEAD request and returns true; returns false for all other requests.
     *
     * <p>After true, do not open a stream.
     */
    public static boolean answersHead(ChannelHandlerContext ctx, FullHttpRequest request, Map<String, String> headers) {
        if (!request.method().equals(HttpMethod.HEAD)) {
            return false;
        }
        new HttpReply(200, headers, new byte[0]).sendAndClose(ctx);
        return true;
    }

    /** Writes the response head without flushing it; after it, write only {@link #content} to the socket. */
    public static void open(ChannelHandlerContext ctx, FullHttpRequest request, Map<String, String> headers) {
        var response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        headers.forEach(response.headers()::set);
        if (request.protocolVersion().isKeepAliveDefault()) {
            HttpUtil.setTransferEncodingChunked(response, true);
            response.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.KEEP_ALIVE);
        } else {
            response.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        }
        HttpPipeline.leaveHttp(ctx.channel());
        ctx.channel().pipeline().addLast(new StreamEnd());
        ctx.channel().write(response);
    }

    /** Wraps one part of the stream. */
    public static DefaultHttpContent content(String block) {
        return new DefaultHttpContent(Unpooled.copiedBuffer(block, StandardCharsets.UTF_8));
    }
}
