package dev.doyen.stores.redis;

import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.resource.NettyCustomizer;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.timeout.IdleStateEvent;
import io.netty.handler.timeout.IdleStateHandler;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Closes a connection whose server has become silent, so that Lettuce connects again.
 *
 * <p>If the server's machine loses its power or its network, the connection stays open on the client. Lettuce then only
 * times out the commands, and keeps the connection. So the handler sends a PING if it has received no bytes for the
 * timeout of a call. If the handler receives no bytes during the next timeout either, it closes the connection.
 *
 * <p>The time counts from the last received bytes. So the handler sends a PING before it closes a connection, even
 * after a long suspension of the client.
 */
final class SilentConnection extends IdleStateHandler {

    private SilentConnection(Duration timeout) {
        super(timeout.toMillis(), 0, 0, TimeUnit.MILLISECONDS);
    }

    /** Returns a customizer that adds this handler to each new connection. */
    static NettyCustomizer afterEach(Duration timeout) {
        return new NettyCustomizer() {
            @Override
            public void afterChannelInitialized(Channel channel) {
                // The other handlers do not pass on the received bytes, so this handler comes first.
                channel.pipeline().addFirst(new SilentConnection(timeout));
            }
        };
    }

    @Override
    protected void channelIdle(ChannelHandlerContext context, IdleStateEvent event) {
        if (event.isFirst()) {
            var ping = new Command<String, String, String>(CommandType.PING, new StatusOutput<>(StringCodec.UTF8));
            ChannelFuture unused = context.channel().writeAndFlush(new AsyncCommand<>(ping));
        } else {
            ChannelFuture unused = context.close();
        }
    }
}
