package dev.doyen.elector.http;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.haproxy.HAProxyMessage;

/**
 * Reads the client's address from the header of the PROXY protocol, and then removes itself.
 *
 * <p>If the header is missing or malformed, the handler closes the connection.
 */
final class ProxyHeader extends ChannelInboundHandlerAdapter {

    /** The event that this handler fires after it has read the header. */
    static final Object READ = new Object();

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (message instanceof HAProxyMessage header) {
            try {
                ClientAddress.setStated(ctx.channel(), header.sourceAddress());
            } finally {
                header.release();
            }
            ctx.fireUserEventTriggered(READ);
            ctx.pipeline().remove(this);
        } else {
            ctx.fireChannelRead(message);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        ctx.close();
    }
}
