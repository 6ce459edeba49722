package dev.doyen.hub.server.nodes;

import io.lettuce.core.resource.NettyCustomizer;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.io.IOException;

/**
 * Makes a connection reset look like an orderly close to Lettuce.
 *
 * <p>After a close, Lettuce reconnects and repeats all unanswered requests in order. After a reset, it first fails the
 * oldest request.
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
