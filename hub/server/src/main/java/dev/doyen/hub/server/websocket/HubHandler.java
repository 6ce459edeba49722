package dev.doyen.hub.server.websocket;

import dev.doyen.elector.http.HttpHandler;
import dev.doyen.elector.http.HttpPipeline;
import dev.doyen.elector.http.HttpReply;
import dev.doyen.elector.http.RemoteAddress;
import dev.doyen.hub.connection.ConnectRequest;
import dev.doyen.hub.step.SessionId;
import dev.doyen.hub.wire.FrameCodec;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.netty.handler.codec.http.websocketx.WebSocket13FrameEncoder;
import io.netty.handler.codec.http.websocketx.WebSocketDecoderConfig;
import io.netty.handler.codec.http.websocketx.WebSocketFrameAggregator;
import io.netty.handler.codec.http.websocketx.WebSocketHandshakeException;
import io.netty.handler.codec.http.websocketx.WebSocketServerHandshakerFactory;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The hub's port: WebSocket at {@code /}, the REST API, and other pages.
 *
 * <p>The server completes the handshake even with invalid credentials, and the hub checks them. An SDK retries forever
 * after an HTTP error status, but stops after an ERROR frame.
 */
public final class HubHandler implements HttpHandler {

    private final HubLoop hub;
    private final FrameCodec codec;
    private final SessionLimits limits;
    private final WriteBufferWaterMark waterMark;
    private final RestHandler rest;
    private final HttpHandler other;
    private final WebSocketDecoderConfig decoding;
    private final AtomicLong lastSession = new AtomicLong();

    public HubHandler(HubLoop hub, FrameCodec codec, SessionLimits limits, HttpHandler other) {
        this.hub = hub;
        this.codec = codec;
        this.limits = limits;
        this.waterMark = new WriteBufferWaterMark(limits.slowBytes() / 2, limits.slowBytes());
        this.rest = new RestHandler(hub, RestLimits.DEFAULT);
        this.other = other;
        // The codec checks JSON text for UTF-8. A protocol violation is answered with an ERROR frame, not with a bare
        // close.
        this.decoding = WebSocketDecoderConfig.newBuilder()
                .maxFramePayloadLength(limits.maxFrameBytes())
                .allowExtensions(false)
                .withUTF8Validator(false)
                .closeOnProtocolViolation(false)
                .build();
    }

    /** A request may publish as much as a frame. */
    @Override
    public int maxBodyBytes() {
        return limits.maxFrameBytes();
    }

    @Override
    public void serve(ChannelHandlerContext ctx, FullHttpRequest request) {
        boolean upgrade = request.method().equals(HttpMethod.GET)
                && request.headers().containsValue(HttpHeaderNames.UPGRADE, HttpHeaderValues.WEBSOCKET, true);
        if (!upgrade) {
            (RestHandler.isFor(request) ? rest : other).serve(ctx, request);
            return;
        }
        var uri = new QueryStringDecoder(request.uri());
        if (!uri.rawPath().equals("/")) {
            HttpReply.sentence(404, "The hub's WebSocket is at /, at no other path.")
                    .send(ctx, request);
            return;
        }
        var handshaker = new WebSocketServerHandshakerFactory("/", null, decoding).newHandshaker(request);
        if (handshaker == null) {
            HttpReply.sentence(426, "Only version 13 of the WebSocket protocol is spoken here (RFC 6455).")
                    .with("Sec-WebSocket-Version", "13")
                    .send(ctx, request);
            return;
        }
        var channel = ctx.channel();
        var connect = ConnectRequest.of(query(uri), RemoteAddress.of(channel.remoteAddress()));
        var id = new SessionId(lastSession.incrementAndGet());
        var session = new Session(id, connect.format(), channel, codec, limits, hub);
        try {
            handshaker.handshake(channel, request).addListener(shaken -> {
                if (shaken.isSuccess()) {
                    // No encoder is necessary, because every frame is written as encoded bytes (WireFrame).
                    channel.pipeline().remove(WebSocket13FrameEncoder.class);
                    hub.opened(session, connect);
                }
            });
        } catch (WebSocketHandshakeException e) {
            HttpReply.sentence(400, "This is no WebSocket handshake: " + e.getMessage() + ".")
                    .sendAndClose(ctx);
            return;
        }
        install(channel, session);
    }

    private void install(Channel channel, Session session) {
        HttpPipeline.leaveHttp(channel);
        channel.config().setWriteBufferWaterMark(waterMark);
        channel.pipeline()
                .addLast(new WebSocketFrameAggregator(limits.maxFrameBytes()))
                .addLast(session);
    }

    private static Map<String, List<String>> query(QueryStringDecoder uri) {
        try {
            return uri.parameters();
        } catch (IllegalArgumentException e) {
            // Without parameters the request has no credentials, and the hub reports that to the client.
            return Map.of();
        }
    }
}
