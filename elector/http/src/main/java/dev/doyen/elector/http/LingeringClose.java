package dev.doyen.elector.http;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.util.ReferenceCountUtil;

/**
 * Closes a connection in steps, so that a client that is still sending can read the response.
 *
 * <p>Closing a socket with unread bytes resets the connection, and the client may then lose the response. So this
 * handler closes the sending side first, and discards input until the client closes (RFC 9112, section 9.6) or until
 * {@link RequestDeadline} closes the connection.
 */
final class LingeringClose extends ChannelInboundHandlerAdapter {

    private LingeringClose() {}

    /** Discards all further input, and closes the sending side after {@code farewell} is written. */
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
