package dev.doyen.elector.http;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;

/**
 * Closes a connection in steps. So a client that is still sending can read the response.
 *
 * <p>If a server closes a socket with unread bytes, the connection is reset, and the client can lose the response. So
 * this handler first closes only the sending side (RFC 9112, section 9.6). Then the handler discards input until the
 * client or {@link RequestDeadline} closes the connection.
 */
final class LingeringClose extends ChannelInboundHandlerAdapter {

    private LingeringClose() {}

    /** Discards all further input, and closes the sending side after the write {@code farewell} is complete. */
    static void after(ChannelFuture farewell) {
        var channel = farewell.channel();
        var decoder = channel.pipeline().context(RequestHeadDecoder.class);
        channel.pipeline().addAfter(decoder.name(), null, new LingeringClose());
        farewell.addListener((ChannelFutureListener) written -> linger(channel));
    }

    private static void linger(Channel channel) {
        var tls = channel.pipeline().get(SslHandler.class);
        if (tls != null) {
            // Without the close_notify message, the client could not distinguish the end from an attack (RFC 8446,
            // section 6.1).
            tls.closeOutbound().addListener(sent -> shutDownOutput(channel));
        } else {
            shutDownOutput(channel);
        }
    }

    private static void shutDownOutput(Channel channel) {
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
