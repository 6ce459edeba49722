package dev.doyen.server.http;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.util.AttributeKey;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BiConsumer;

/**
 * An answer that is owed, and comes later. What is sent behind its request before that is not taken: its socket is closed.
 *
 * <p>Threads: made on the socket's event loop; answered on any.
 */
public final class LateReply {

    private static final AttributeKey<Boolean> OWED = AttributeKey.valueOf(LateReply.class, "owed");

    private final ChannelHandlerContext ctx;
    private final FullHttpRequest request;

    /** From now on an answer is owed; it is to be given once. */
    public LateReply(ChannelHandlerContext ctx, FullHttpRequest request) {
        this.ctx = ctx;
        this.request = request.retain();
        ctx.channel().attr(OWED).set(true);
    }

    /** Whether a request of this socket waits for its answer. */
    public static boolean isOwed(Channel channel) {
        return channel.hasAttr(OWED) && channel.attr(OWED).get() != null;
    }

    public void send(HttpReply reply) {
        answer(reply::send);
    }

    /**
     * Runs this on the socket's event loop, instead of an answer of the common kind: after what was read together with the
     * request, however soon the answer is known.
     */
    public void answer(BiConsumer<ChannelHandlerContext, FullHttpRequest> answer) {
        try {
            ctx.executor().execute(() -> answerNow(answer));
        } catch (RejectedExecutionException e) {
            // The sockets are closed: there is nobody left to tell.
            request.release();
        }
    }

    private void answerNow(BiConsumer<ChannelHandlerContext, FullHttpRequest> answer) {
        ctx.channel().attr(OWED).set(null);
        try {
            answer.accept(ctx, request);
        } finally {
            request.release();
        }
    }
}
