package dev.doyen.injector.driver;

import dev.doyen.elector.http.RequestDeadline;
import dev.doyen.injector.Injection;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * The webhook's HTTPS server. Each new connection gets the certificate that is current when it opens.
 *
 * <p>It uses Netty because the JDK's server waits for a peer's handshake on the thread that accepts other connections.
 *
 * <p>Threads: two of Netty's. They also compute the answers, which needs no I/O.
 */
final class WebhookServer implements AutoCloseable {

    private static final int THREADS = 2;
    private static final long CLOSE_MILLIS = 2_000;

    private final EventLoopGroup sockets = new MultiThreadIoEventLoopGroup(
            THREADS, new DefaultThreadFactory("doyen-webhook", true), NioIoHandler.newFactory());
    private final AtomicInteger open = new AtomicInteger();
    private final Channel listening;

    /**
     * Starts to listen.
     *
     * @param injection read at each new connection, because the cluster's version may change
     * @throws IOException if the address cannot be opened
     */
    WebhookServer(InetSocketAddress address, Shown shown, Supplier<Injection> injection) throws IOException {
        var bound = new ServerBootstrap()
                .group(sockets)
                .channel(NioServerSocketChannel.class)
                .childHandler(new Connection(shown, injection))
                .bind(address)
                .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            sockets.shutdownGracefully(0, 0, TimeUnit.MILLISECONDS);
            throw new IOException(
                    "cannot listen on " + address.getHostString() + ":" + address.getPort()
                            + "; is something else there? Choose another address by --listen",
                    bound.cause());
        }
        listening = bound.channel();
    }

    int port() {
        return ((InetSocketAddress) listening.localAddress()).getPort();
    }

    @Override
    public void close() {
        listening.close().awaitUninterruptibly(CLOSE_MILLIS);
        sockets.shutdownGracefully(0, CLOSE_MILLIS, TimeUnit.MILLISECONDS).awaitUninterruptibly(CLOSE_MILLIS);
    }

    private final class Connection extends ChannelInitializer<Channel> {
        private final Shown shown;
        private final Supplier<Injection> injection;

        Connection(Shown shown, Supplier<Injection> injection) {
            this.shown = shown;
            this.injection = injection;
        }

        @Override
        protected void initChannel(Channel channel) {
            int now = open.incrementAndGet();
            channel.closeFuture().addListener(closed -> open.decrementAndGet());
            if (now > WebhookLimits.MAX_CONNECTIONS) {
                channel.close();
                return;
            }
            var tls = shown.context().newHandler(channel.alloc());
            tls.setHandshakeTimeoutMillis(WebhookLimits.REQUEST_MILLIS);
            channel.pipeline()
                    .addLast(tls)
                    .addLast(new HttpServerCodec())
                    .addLast(new HttpObjectAggregator(WebhookLimits.MAX_BODY_BYTES, true))
                    .addLast(new RequestDeadline(WebhookLimits.REQUEST_MILLIS, WebhookLimits.KEEP_ALIVE_MILLIS))
                    .addLast(new WebhookHandler(injection.get()));
        }
    }
}
