package dev.doyen.server.http;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.util.ReferenceCountUtil;

/**
 * Closes a socket in steps, so that a client that is still sending can read why it was refused.
 *
 * <p>To close with bytes unread is to reset the connection, and a reset takes the refusal with it before the client has
 * read it. So the sending half is closed first, and what still comes is thrown away until the client closes (RFC 9112,
 * section 9.6), or until {@link RequestDeadline} has enough of it.
 */
final class LingeringClose extends ChannelInboundHandlerAdapter {

    private LingeringClose() {}

    /** From now on nothing that is read is served; once {@code farewell} is written, nothing is written. */
    static void after(ChannelFuture farewell) {
        var channel = farewell.channel();
        var codec = channel.pipeline().context(HttpServerCodec.class);
        channel.pipeline().addAfter(codec.name(), null, new LingeringClose());
        farewell.addListener((ChannelFutureListener) written -> linger(channel));
    }

    private static void linger(Channel channel) {
        if (channel instanceof DuplexChannel halves) {
            halves.shutdownOutput();
        } else {
            channel.close();
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ReferenceCountUtil.release(message);
    }
}
