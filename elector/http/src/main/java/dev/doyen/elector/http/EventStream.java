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
import java.util.Optional;

/** Turns an HTTP response into an event stream. Threads: the socket's event loop. */
public final class EventStream {

    private EventStream() {}

    /**
     * Answers a HEAD request. Returns true for a HEAD request, and false for all other requests.
     *
     * <p>If the result is true, the caller must not open a stream.
     */
    public static boolean answersHead(ChannelHandlerContext ctx, FullHttpRequest request, Map<String, String> headers) {
        if (!request.method().equals(HttpMethod.HEAD)) {
            return false;
        }
        new HttpReply(200, headers, new byte[0]).sendAndClose(ctx);
        return true;
    }

    /**
     * Writes the response head without a flush. Afterwards, the caller may write only {@link #content} to the socket.
     *
     * @return a sentence that rejects the stream, because the client's address has too many streams; empty if the
     *     stream is open
     */
    public static Optional<String> open(
            ChannelHandlerContext ctx, FullHttpRequest request, Map<String, String> headers) {
        Optional<String> rejection = ConnectionLimit.openStream(ctx.channel(), request);
        if (rejection.isPresent()) {
            return rejection;
        }
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
        return Optional.empty();
    }

    /** Wraps one block of a stream in HTTP content. */
    public static DefaultHttpContent content(String block) {
        return new DefaultHttpContent(Unpooled.copiedBuffer(block, StandardCharsets.UTF_8));
    }
}
