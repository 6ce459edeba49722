package dev.doyen.elector.http;

import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Closes new connections above a maximum, because each one uses a file descriptor.
 *
 * <p>All sockets of a port share one instance.
 */
@Sharable
public final class ConnectionLimit extends ChannelInboundHandlerAdapter {

    private final int maxConnections;
    private final AtomicInteger open = new AtomicInteger();

    public ConnectionLimit(int maxConnections) {
        this.maxConnections = maxConnections;
    }

    /** How many connections are open. */
    public int openConnections() {
        return open.get();
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        if (open.incrementAndGet() > maxConnections) {
            ctx.close();
            return;
        }
        ctx.fireChannelActive();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        open.decrementAndGet();
        ctx.fireChannelInactive();
    }
}
