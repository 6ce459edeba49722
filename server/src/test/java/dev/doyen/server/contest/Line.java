package dev.doyen.server.contest;

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
 * One WebSocket, on which frames in JSON go out and come in. It can be frozen, when nothing is read, and cut, when the other
 * side gets a reset.
 *
 * <p>Threads: the event loop, for calls and callbacks alike.
 */
final class Line {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int MAX_BYTES = 1 << 20;

    private final Consumer<JsonNode> onFrame;
    private final Runnable onEnd;
    private final Channel channel;

    /** Nobody listens any more. */
    private boolean given;

    /**
     * @param onFrame hears each frame until the line is cut
     * @param onEnd hears once that the other side is gone, or was never there; not of a {@link #cut}
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
                                        new Ear());
                    }
                })
                .connect(hub);
        channel = connecting.channel();
        channel.closeFuture().addListener(closed -> end());
    }

    void send(JsonNode frame) {
        channel.writeAndFlush(new TextWebSocketFrame(frame.toString()));
    }

    /** Reads nothing any more, as a page that hangs; what the other side sends piles up. */
    void freeze() {
        channel.config().setAutoRead(false);
    }

    void thaw() {
        channel.config().setAutoRead(true);
    }

    /** The socket is gone, without a word; nothing more is heard of it. */
    void cut() {
        given = true;
        channel.config().setOption(ChannelOption.SO_LINGER, 0);
        channel.close();
    }

    /** Hears nothing more; the other side ends it. */
    void ignore() {
        given = true;
    }

    private void end() {
        if (!given) {
            given = true;
            onEnd.run();
        }
    }

    private final class Ear extends SimpleChannelInboundHandler<TextWebSocketFrame> {
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
