package dev.doyen.hub.server.nodes;

import io.lettuce.core.resource.NettyCustomizer;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.io.IOException;

/**
 * Reports a connection reset, or another I/O error, to Lettuce as an orderly close.
 *
 * <p>After a close, Lettuce reconnects and repeats all unanswered requests in order. After a reset, Lettuce would fail
 * the oldest request before it repeats the other requests.
 */
final class ResetAsClose implements NettyCustomizer {

    @Override
    public void afterChannelInitialized(Channel channel) {
        channel.pipeline().addFirst(new ChannelInboundHandlerAdapter() {
            @Override
            public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
                if (cause instanceof IOException) {
                    context.close();
                } else {
                    context.fireExceptionCaught(cause);
                }
            }
        });
    }
}
