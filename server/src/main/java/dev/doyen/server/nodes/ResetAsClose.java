package dev.doyen.server.nodes;

import io.lettuce.core.resource.NettyCustomizer;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.io.IOException;

/**
 * Makes a reset of a connection look like its end. After the end of a connection Lettuce connects again and repeats, in
 * their order, all requests that have no answer. After a reset it fails the oldest request before it does so.
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
