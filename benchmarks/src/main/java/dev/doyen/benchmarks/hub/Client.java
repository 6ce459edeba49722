package dev.doyen.benchmarks.hub;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import org.jspecify.annotations.Nullable;

/** One client of a crowd: a WebSocket and its conversation. Threads: its event loop's, but for {@link #say}. */
final class Client extends SimpleChannelInboundHandler<WebSocketFrame> {

    /** What a crowd is told of its clients. */
    interface Ears {
        void ready(Client client);

        /** A frame, in bytes. True if it was wanted so, and need not be understood. */
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

    /** Ends the socket without a word: the peer sees a reset, as when a process is killed. */
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
