package dev.doyen.elector.http;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Closes a connection whose next request is not complete in time.
 *
 * <p>Only a complete response restarts the deadline. An idle timer would restart with every byte. A client that sends
 * one byte per second could then occupy its connection for days.
 *
 * <p>In the pipeline, this handler must follow the handler that collects the body of a request. Threads: the event loop
 * of the channel.
 */
public final class RequestDeadline extends ChannelDuplexHandler {

    private final long requestMillis;
    private final long keepAliveMillis;
    private @Nullable Future<?> deadline;

    /**
     * @param requestMillis the maximum time from the opening of the connection to the end of the first request, in
     *     milliseconds
     * @param keepAliveMillis the maximum time from the end of a response to the end of the next request, in
     *     milliseconds
     */
    public RequestDeadline(long requestMillis, long keepAliveMillis) {
        this.requestMillis = requestMillis;
        this.keepAliveMillis = keepAliveMillis;
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        arm(ctx, requestMillis);
        ctx.fireChannelActive();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (message instanceof FullHttpRequest) {
            disarm();
        }
        ctx.fireChannelRead(message);
    }

    @Override
    public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
        if (message instanceof LastHttpContent) {
            arm(ctx, keepAliveMillis);
        }
        ctx.write(message, promise);
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        disarm();
    }

    private void arm(ChannelHandlerContext ctx, long millis) {
        disarm();
        deadline = ctx.executor()
                .schedule(
                        () -> {
                            ctx.close();
                        },
                        millis,
                        TimeUnit.MILLISECONDS);
    }

    private void disarm() {
        if (deadline != null) {
            deadline.cancel(false);
            deadline = null;
        }
    }
}
