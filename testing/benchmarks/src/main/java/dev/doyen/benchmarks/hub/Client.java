package dev.doyen.benchmarks.hub;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import org.jspecify.annotations.Nullable;

/**
 * One client of a crowd, with its WebSocket.
 *
 * <p>Threads: all on its event loop, except {@link #say} and {@link #kill}.
 */
final class Client extends SimpleChannelInboundHandler<WebSocketFrame> {

    /** Receives the events of clients. */
    interface Ears {
        void ready(Client client);

        /** Receives a frame as bytes. Returns true if the frame needs no further parsing. */
        boolean entries(Client client, ByteBuf frame);

        void message(Client client, String text);

        void leader(Client client, String id);

        void ended(Client client);
    }

    final String id;
    private final Dialect.Talk talk;
    private final Ears ears;
    private boolean ready;
    private volatile @Nullable Channel channel;

    Client(String id, Dialect.Talk talk, Ears ears) {
        this.id = id;
        this.talk = talk;
        this.ears = ears;
    }

    void say(String text) {
        Channel to = channel;
        if (to != null) {
            to.writeAndFlush(new TextWebSocketFrame(text));
        }
    }

    /** Closes the socket with a reset, as when a process is killed. */
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
        if (ears.entries(this, textFrame.content())) {
            return;
        }
        String text = textFrame.text();
        String message = talk.messageIn(text);
        if (!message.isEmpty()) {
            ears.message(this, message);
            return;
        }
        String leader = talk.leaderIn(text);
        if (!leader.isEmpty()) {
            ears.leader(this, leader);
        }
        talk.heard(text).forEach(this::say);
        if (!ready && talk.isReady()) {
            ready = true;
            ears.ready(this);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        ears.ended(this);
    }
}
