package dev.doyen.injector.driver;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Closes the connection of a peer that sends nothing, or sends its request too slowly. */
final class RequestDeadline extends ChannelInboundHandlerAdapter {

    private final long requestMillis;
    private final long keepAliveMillis;
    private @Nullable Future<?> deadline;

    RequestDeadline(long requestMillis, long keepAliveMillis) {
        this.requestMillis = requestMillis;
        this.keepAliveMillis = keepAliveMillis;
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        closeAfter(ctx, requestMillis);
        ctx.fireChannelActive();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (message instanceof HttpRequest) {
            closeAfter(ctx, requestMillis);
        }
        if (message instanceof LastHttpContent) {
            closeAfter(ctx, keepAliveMillis);
        }
        ctx.fireChannelRead(message);
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        cancel();
        ctx.fireChannelInactive();
    }

    private void closeAfter(ChannelHandlerContext ctx, long millis) {
        cancel();
        deadline = ctx.executor().schedule(() -> ctx.close(), millis, TimeUnit.MILLISECONDS);
    }

    private void cancel() {
        if (deadline != null) {
            deadline.cancel(false);
        }
    }
}
