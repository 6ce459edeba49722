package dev.doyen.program.contest;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketClientProtocolConfig;
import io.netty.handler.codec.http.websocketx.WebSocketClientProtocolHandler;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.function.Consumer;

/**
 * A WebSocket connection that carries JSON frames. A test can freeze or cut the connection.
 *
 * <p>A frozen line reads nothing. A cut resets the connection.
 *
 * <p>Threads: the event loop, for calls and for callbacks.
 */
final class Line {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int MAX_BYTES = 1 << 20;

    private final Consumer<JsonNode> onFrame;
    private final Runnable onEnd;
    private final Channel channel;

    /** True if no callback may follow, because the connection has ended, was cut or is ignored. */
    private boolean given;

    /**
     * Connects to a hub.
     *
     * @param onFrame the receiver of each frame until {@link #cut} or {@link #ignore}
     * @param onEnd a callback that runs once, when the hub ends the connection or the connection fails; never after
     *     {@link #cut} or {@link #ignore}
     */
    Line(EventLoop loop, InetSocketAddress hub, String query, Consumer<JsonNode> onFrame, Runnable onEnd) {
        this.onFrame = onFrame;
        this.onEnd = onEnd;
        var uri = URI.create("ws://localhost:" + hub.getPort() + "/" + query);
        var config = WebSocketClientProtocolConfig.newBuilder()
                .webSocketUri(uri)
                .maxFramePayloadLength(MAX_BYTES)
                .build();
        var connecting = new Bootstrap()
                .group(loop)
                .channel(NioSocketChannel.class)
                .option(ChannelOption.TCP_NODELAY, true)
                .handler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel made) {
                        made.pipeline()
                                .addLast(
                                        new HttpClientCodec(),
                                        new HttpObjectAggregator(MAX_BYTES),
                                        new WebSocketClientProtocolHandler(config),
                                        new Receiver());
                    }
                })
                .connect(hub);
        channel = connecting.channel();
        channel.closeFuture().addListener(closed -> end());
    }

    void send(JsonNode frame) {
        channel.writeAndFlush(new TextWebSocketFrame(frame.toString()));
    }

    /** Stops reading, like a page that hangs. Input accumulates in the socket. */
    void freeze() {
        channel.config().setAutoRead(false);
    }

    void thaw() {
        channel.config().setAutoRead(true);
    }

    /** Resets the connection and stops all callbacks. */
    void cut() {
        given = true;
        channel.config().setOption(ChannelOption.SO_LINGER, 0);
        channel.close();
    }

    /** Stops all callbacks, but does not close the connection. The hub closes it. */
    void ignore() {
        given = true;
    }

    private void end() {
        if (!given) {
            given = true;
            onEnd.run();
        }
    }

    private final class Receiver extends SimpleChannelInboundHandler<TextWebSocketFrame> {
        @Override
        protected void channelRead0(ChannelHandlerContext ctx, TextWebSocketFrame frame)
                throws JsonProcessingException {
            if (!given) {
                onFrame.accept(JSON.readTree(frame.text()));
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            ctx.close();
        }
    }
}
