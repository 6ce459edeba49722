package dev.doyen.hub.server.websocket;

import dev.doyen.elector.http.ClientAddress;
import dev.doyen.elector.http.HttpHandler;
import dev.doyen.elector.http.HttpPipeline;
import dev.doyen.elector.http.HttpReply;
import dev.doyen.hub.connection.ConnectRequest;
import dev.doyen.hub.step.SessionId;
import dev.doyen.hub.wire.FrameCodec;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.EventLoop;
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
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Handles requests to the hub's port: WebSocket at {@code /}, the REST API, and other pages.
 *
 * <p>The server completes the handshake even if the credentials are invalid. The hub then rejects the credentials with
 * an ERROR frame. After this frame, an SDK stops. After an HTTP error status, an SDK would retry forever.
 */
public final class HubHandler implements HttpHandler {

    /** The only supported version of the WebSocket protocol (RFC 6455). */
    private static final String VERSION = "13";

    private final HubLoop hub;
    private final FrameCodec codec;
    private final SessionLimits limits;
    private final WriteBufferWaterMark waterMark;
    private final RestHandler rest;
    private final HttpHandler other;
    /** True if the clients of this handler need tokens and may not use the REST API. */
    private final boolean needsTokens;

    private final WebSocketDecoderConfig decoding;
    /** The {@link PulseWheel} of each event loop. Only the event loop itself uses its wheel. */
    private final Map<EventLoop, PulseWheel> pulses;

    private final AtomicLong lastSession;

    public HubHandler(HubLoop hub, FrameCodec codec, SessionLimits limits, HttpHandler other) {
        this(hub, codec, limits, other, false, new ConcurrentHashMap<>(), new AtomicLong());
    }

    /**
     * Returns a handler for another port of the same hub. It accepts only WebSockets with tokens, and has no REST API.
     *
     * @param pages the handler of all other requests
     */
    public HubHandler forTokens(HttpHandler pages) {
        return new HubHandler(hub, codec, limits, pages, true, pulses, lastSession);
    }

    private HubHandler(
            HubLoop hub,
            FrameCodec codec,
            SessionLimits limits,
            HttpHandler other,
            boolean needsTokens,
            Map<EventLoop, PulseWheel> pulses,
            AtomicLong lastSession) {
        this.hub = hub;
        this.codec = codec;
        this.limits = limits;
        this.waterMark = new WriteBufferWaterMark(limits.slowBytes() / 2, limits.slowBytes());
        this.rest = new RestHandler(hub, RestLimits.DEFAULT);
        this.other = other;
        this.needsTokens = needsTokens;
        this.pulses = pulses;
        this.lastSession = lastSession;
        // Netty does not check text for UTF-8 here. FrameCodec checks it, so that the server answers invalid text with
        // an ERROR frame and not only with a close.
        this.decoding = WebSocketDecoderConfig.newBuilder()
                .maxFramePayloadLength(limits.maxFrameBytes())
                .allowExtensions(false)
                .withUTF8Validator(false)
                .closeOnProtocolViolation(false)
                .build();
    }

    /** Returns the maximum size of a body. A request may publish as much as a frame. */
    @Override
    public int maxBodyBytes() {
        return limits.maxFrameBytes();
    }

    @Override
    public void serve(ChannelHandlerContext ctx, FullHttpRequest request) {
        boolean upgrade = request.method().equals(HttpMethod.GET)
                && request.headers().containsValue(HttpHeaderNames.UPGRADE, HttpHeaderValues.WEBSOCKET, true);
        if (!upgrade) {
            (!needsTokens && RestHandler.isFor(request) ? rest : other).serve(ctx, request);
            return;
        }
        var uri = new QueryStringDecoder(request.uri());
        if (!uri.rawPath().equals("/")) {
            HttpReply.sentence(404, "The hub serves WebSocket only at /.").send(ctx, request);
            return;
        }
        // Netty also supports older drafts of the protocol, for which this server has no encoder.
        var handshaker = VERSION.equals(request.headers().get(HttpHeaderNames.SEC_WEBSOCKET_VERSION))
                ? new WebSocketServerHandshakerFactory("/", null, decoding).newHandshaker(request)
                : null;
        if (handshaker == null) {
            HttpReply.sentence(426, "Only version 13 of the WebSocket protocol is supported (RFC 6455).")
                    .with("Sec-WebSocket-Version", VERSION)
                    .send(ctx, request);
            return;
        }
        var channel = ctx.channel();
        var given = ConnectRequest.of(query(uri), ClientAddress.of(channel, request));
        var connect = needsTokens ? given.withoutKeys() : given;
        var id = new SessionId(lastSession.incrementAndGet());
        var session = new Session(id, connect, channel, codec, limits, hub);
        try {
            handshaker.handshake(channel, request).addListener(shaken -> {
                if (shaken.isSuccess()) {
                    // No encoder is necessary, because every frame is written as encoded bytes (WireFrame).
                    channel.pipeline().remove(WebSocket13FrameEncoder.class);
                    hub.opened(session, connect);
                }
            });
        } catch (WebSocketHandshakeException e) {
            HttpReply.sentence(400, "This is not a WebSocket handshake: " + e.getMessage() + ".")
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
        pulses.computeIfAbsent(channel.eventLoop(), loop -> new PulseWheel(loop, limits.pingMillis() / 2))
                .add(session::pulse, channel.closeFuture());
    }

    private static Map<String, List<String>> query(QueryStringDecoder uri) {
        try {
            return uri.parameters();
        } catch (IllegalArgumentException e) {
            // The query is malformed. Without parameters the request has no credentials, and the hub reports that to
            // the client.
            return Map.of();
        }
    }
}
