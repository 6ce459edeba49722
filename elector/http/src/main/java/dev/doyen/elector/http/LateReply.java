package dev.doyen.elector.http;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.util.AttributeKey;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BiConsumer;

/**
 * A response that is sent after the handler has returned.
 *
 * <p>If the client sends another request before the response, the server closes the connection.
 *
 * <p>Threads: create the object on the socket's event loop. The response may be sent from any thread.
 */
public final class LateReply {

    private static final AttributeKey<Boolean> OWED = AttributeKey.valueOf(LateReply.class, "owed");

    private final ChannelHandlerContext ctx;
    private final FullHttpRequest request;

    /** Marks the connection as waiting for a response. Call {@link #send} or {@link #answer} exactly once. */
    public LateReply(ChannelHandlerContext ctx, FullHttpRequest request) {
        this.ctx = ctx;
        this.request = request.retain();
        ctx.channel().attr(OWED).set(true);
    }

    /** Returns true if a request on this connection still waits for its response. */
    public static boolean isOwed(Channel channel) {
        return channel.hasAttr(OWED) && channel.attr(OWED).get() != null;
    }

    public void send(HttpReply reply) {
        answer(reply::send);
    }

    /**
     * Runs a custom answer on the socket's event loop, instead of sending an {@link HttpReply}.
     *
     * <p>Data that arrived together with the request is always processed before the custom answer runs. If the custom
     * answer throws, the fault is logged and the connection is closed.
     */
    public void answer(BiConsumer<ChannelHandlerContext, FullHttpRequest> answer) {
        try {
            ctx.executor().execute(() -> answerNow(answer));
        } catch (RejectedExecutionException e) {
            // The event loop has shut down, so the connection is closed.
            request.release();
        }
    }

    private void answerNow(BiConsumer<ChannelHandlerContext, FullHttpRequest> answer) {
        ctx.channel().attr(OWED).set(null);
        try {
            answer.accept(ctx, request);
        } catch (Throwable e) {
            HttpRequestDecoder.fail(ctx, e);
        } finally {
            request.release();
        }
    }
}
