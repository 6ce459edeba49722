package dev.doyen.server.http;

import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.concurrent.atomic.AtomicInteger;

/** Closes sockets beyond a number: an open file each, and there are only so many. One for all sockets of a port. */
@Sharable
public final class ConnectionLimit extends ChannelInboundHandlerAdapter {

    private final int maxConnections;
    private final AtomicInteger open = new AtomicInteger();

    public ConnectionLimit(int maxConnections) {
        this.maxConnections = maxConnections;
    }

    /** How many sockets are open now. */
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
