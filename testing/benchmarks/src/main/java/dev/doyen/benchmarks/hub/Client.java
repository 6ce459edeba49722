package dev.doyen.benchmarks.hub;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketClientProtocolHandler;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import org.jspecify.annotations.Nullable;

/**
 * One client of a {@link Crowd}, with its WebSocket.
 *
 * <p>Threads: any thread may call {@link #print} and {@link #kill}. All other methods run on the client's event loop.
 */
final class Client extends SimpleChannelInboundHandler<WebSocketFrame> {

    /** Receives the events of clients. */
    interface Receiver {
        void ready(Client client);

        /** Receives a frame as bytes. Returns true if the frame needs no further parsing. */
        boolean entries(Client client, ByteBuf frame);

        void message(Client client, String text);

        void leader(Client client, String id);

        void ended(Client client);
    }

    final String id;
    private final Dialect dialect;
    private final Dialect.Protocol talk;
    private final Receiver receiver;
    private boolean ready;
    private volatile @Nullable Channel channel;

    Client(String id, Dialect dialect, Dialect.Protocol talk, Receiver receiver) {
        this.id = id;
        this.dialect = dialect;
        this.talk = talk;
        this.receiver = receiver;
    }

    void print(String text) {
        Channel to = channel;
        if (to != null) {
            to.writeAndFlush(new TextWebSocketFrame(text));
        }
    }

    /** Cuts the connection. The socket closes with a reset and without a farewell. */
    void kill() {
        Channel to = channel;
        if (to != null) {
            to.config().setOption(io.netty.channel.ChannelOption.SO_LINGER, 0);
            to.close();
        }
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        channel = ctx.channel();
    }

    @Override
    protected void channelRead0(ChannelHandlerContext ctx, WebSocketFrame frame) {
        if (!(frame instanceof TextWebSocketFrame textFrame)) {
            return;
        }
        if (receiver.entries(this, textFrame.content())) {
            return;
        }
        dialect.parts(textFrame.text()).forEach(this::received);
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event == WebSocketClientProtocolHandler.ClientHandshakeStateEvent.HANDSHAKE_COMPLETE) {
            talk.opening().forEach(this::print);
        }
        ctx.fireUserEventTriggered(event);
    }

    private void received(String text) {
        String message = talk.messageIn(text);
        if (!message.isEmpty()) {
            receiver.message(this, message);
            return;
        }
        String leader = talk.leaderIn(text);
        if (!leader.isEmpty()) {
            receiver.leader(this, leader);
        }
        talk.received(text).forEach(this::print);
        if (!ready && talk.isReady()) {
            ready = true;
            receiver.ready(this);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        receiver.ended(this);
    }
}
