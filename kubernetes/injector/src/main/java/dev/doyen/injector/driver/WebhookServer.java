package dev.doyen.injector.driver;

import dev.doyen.elector.http.RequestDeadline;
import dev.doyen.injector.Injection;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelPromise;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The webhook's HTTPS server. A new connection uses the certificate that is current when the connection opens.
 *
 * <p>The server uses Netty, because the JDK's server waits for a peer's handshake on the thread that accepts other
 * connections.
 *
 * <p>Threads: two threads of Netty. These threads also compute the answers. They do not wait for I/O: they answer about a
 * pod after the revision of its ReplicaSet has arrived.
 */
final class WebhookServer implements AutoCloseable {

    private static final int THREADS = 2;
    private static final long CLOSE_MILLIS = 2_000;

    private final EventLoopGroup sockets = new MultiThreadIoEventLoopGroup(
            THREADS, new DefaultThreadFactory("doyen-webhook", true), NioIoHandler.newFactory());
    private final OpenConnections<Channel> open =
            new OpenConnections<>(WebhookLimits.MAX_CONNECTIONS, WebhookLimits.MAX_CONNECTIONS_OF_PEER);
    private final long requestMillis;
    private final long keepAliveMillis;
    private final Channel listening;

    /**
     * Starts to listen.
     *
     * @param injection the function that returns the injection. The server calls this function at each new connection,
     *     because the cluster's version can change
     * @throws IOException if the address cannot be opened
     */
    WebhookServer(InetSocketAddress address, Shown shown, Supplier<Injection> injection, ReplicaSetRevisions revisions)
            throws IOException {
        this(address, shown, injection, revisions, WebhookLimits.REQUEST_MILLIS, WebhookLimits.KEEP_ALIVE_MILLIS);
    }

    WebhookServer(
            InetSocketAddress address,
            Shown shown,
            Supplier<Injection> injection,
            ReplicaSetRevisions revisions,
            long requestMillis,
            long keepAliveMillis)
            throws IOException {
        this.requestMillis = requestMillis;
        this.keepAliveMillis = keepAliveMillis;
        var bound = new ServerBootstrap()
                .group(sockets)
                .channel(NioServerSocketChannel.class)
                .childHandler(new Connection(shown, injection, revisions))
                .bind(address)
                .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            sockets.shutdownGracefully(0, 0, TimeUnit.MILLISECONDS);
            throw new IOException(
                    "cannot listen on " + address.getHostString() + ":" + address.getPort()
                            + "; check whether another program uses this port, or choose another address with --listen",
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
        private final ReplicaSetRevisions revisions;

        Connection(Shown shown, Supplier<Injection> injection, ReplicaSetRevisions revisions) {
            this.shown = shown;
            this.injection = injection;
            this.revisions = revisions;
        }

        @Override
        protected void initChannel(Channel channel) {
            if (!(channel.remoteAddress() instanceof InetSocketAddress peer)) {
                // The peer has disconnected already.
                channel.close();
                return;
            }
            open.opened(channel, peer.getAddress()).ifPresent(Channel::close);
            channel.closeFuture().addListener(closed -> open.closed(channel));
            var tls = new SslHandler(shown.newEngine());
            tls.setHandshakeTimeoutMillis(requestMillis);
            channel.pipeline()
                    .addLast(tls)
                    .addLast(new HttpServerCodec())
                    .addLast(new Activity())
                    .addLast(new HttpObjectAggregator(WebhookLimits.MAX_BODY_BYTES, true))
                    .addLast(new RequestDeadline(requestMillis, keepAliveMillis))
                    .addLast(new WebhookHandler(injection.get(), revisions));
        }
    }

    /** Reports to {@link OpenConnections} when a request begins, and when it is answered. */
    private final class Activity extends ChannelDuplexHandler {

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            if (message instanceof HttpRequest) {
                open.requested(ctx.channel());
            }
            ctx.fireChannelRead(message);
        }

        @Override
        public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
            if (message instanceof HttpResponse response && !response.status().equals(HttpResponseStatus.CONTINUE)) {
                open.answered(ctx.channel());
            }
            ctx.write(message, promise);
        }
    }
}
