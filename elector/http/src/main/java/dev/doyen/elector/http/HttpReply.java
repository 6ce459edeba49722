package dev.doyen.elector.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A complete HTTP response, with the methods that send it.
 *
 * <p>The class sets the length, omits the body for HEAD, and handles keep-alive.
 */
public final class HttpReply {

    private final int status;
    private final List<Line> headers;
    private final byte[] body;

    /** One header field. */
    private record Line(String name, String value) {}

    /**
     * Creates a response that uses the array {@code body} without a copy. The caller must not modify the array
     * afterwards.
     */
    public HttpReply(int status, Map<String, String> headers, byte[] body) {
        this(
                status,
                headers.entrySet().stream()
                        .map(header -> new Line(header.getKey(), header.getValue()))
                        .toList(),
                body);
    }

    private HttpReply(int status, List<Line> headers, byte[] body) {
        this.status = status;
        this.headers = headers;
        this.body = body;
    }

    /** Returns a plain-text response with one sentence. */
    public static HttpReply sentence(int status, String sentence) {
        return new HttpReply(
                status,
                Map.of("Content-Type", "text/plain; charset=utf-8", "Cache-Control", "no-cache"),
                (sentence + "\n").getBytes(StandardCharsets.UTF_8));
    }

    int status() {
        return status;
    }

    String text() {
        return new String(body, StandardCharsets.UTF_8);
    }

    /** Returns a copy with one more header field. The copy can contain several fields of the same name. */
    public HttpReply with(String header, String value) {
        var more = new ArrayList<>(headers);
        more.add(new Line(header, value));
        return new HttpReply(status, more, body);
    }

    /** Sends the response, and closes the connection unless the request allows keep-alive. */
    public void send(ChannelHandlerContext ctx, FullHttpRequest request) {
        boolean keepAlive = HttpUtil.isKeepAlive(request);
        var written = send(ctx, keepAlive, request.method().equals(HttpMethod.HEAD));
        if (!keepAlive) {
            written.addListener(ChannelFutureListener.CLOSE);
        }
    }

    /**
     * Sends the response and closes the connection. Further input of the client is ignored.
     *
     * <p>Use this method for a malformed request, because the server cannot parse the bytes after such a request.
     */
    public void sendAndClose(ChannelHandlerContext ctx) {
        LingeringClose.after(send(ctx, false, false));
    }

    private ChannelFuture send(ChannelHandlerContext ctx, boolean keepAlive, boolean withoutBody) {
        ByteBuf content = withoutBody ? Unpooled.EMPTY_BUFFER : Unpooled.wrappedBuffer(body);
        var response = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(status), content);
        headers.forEach(line -> response.headers().add(line.name(), line.value()));
        if (status != HttpResponseStatus.NOT_MODIFIED.code() && status != HttpResponseStatus.NO_CONTENT.code()) {
            response.headers().set(HttpHeaderNames.CONTENT_LENGTH, body.length);
        }
        if (!keepAlive) {
            response.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        } else {
            // Without this header, an HTTP/1.0 client closes the connection. HTTP/1.1 clients ignore the header.
            response.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.KEEP_ALIVE);
        }
        return ctx.writeAndFlush(response);
    }
}
