package dev.doyen.elector.http;

import dev.doyen.elector.http.CannotListenException.Port;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The listening ports of a program, which are closed together.
 *
 * <p>Threads: open and close them on the same thread.
 */
public final class Ports implements AutoCloseable {

    private static final int BACKLOG = 1_024;
    private static final long CLOSE_MILLIS = 1_500;
    private static final int MAX_REDIRECT_CONNECTIONS = 2_000;
    /**
     * The buffer allocator that all sockets share. Netty's default is an adaptive allocator for each socket, which
     * needs more memory without a benefit for small requests.
     */
    private static final RecvByteBufAllocator READ_AT_ONCE = new FixedRecvByteBufAllocator(4 * 1024);

    private static final WriteBufferWaterMark HTTP_WATER_MARK = new WriteBufferWaterMark(32 * 1024, 64 * 1024);

    private final TrustedProxies proxies;
    private final TlsSettings tls;
    private final ChannelGroup listening = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);

    /** Creates ports that trust no proxy. */
    public Ports(TlsSettings tls) {
        this(TrustedProxies.NONE, tls);
    }

    /** Creates ports that trust these proxies. */
    public Ports(TrustedProxies proxies, TlsSettings tls) {
        this.proxies = proxies;
        this.tls = tls;
    }

    /**
     * Listens on the address. The method blocks until the port is open.
     *
     * @return the bound address, with the chosen port if port 0 was requested
     * @throws CannotListenException if the port cannot be opened, for example because another process uses it
     */
    public InetSocketAddress open(
            Port which, InetSocketAddress address, EventLoopGroup sockets, HttpHandler site, ConnectionLimit limit)
            throws CannotListenException {
        var bound = new ServerBootstrap()
                .group(sockets)
                .channel(NioServerSocketChannel.class)
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.TCP_NODELAY, true)
                // The operating system then detects a peer that has vanished even if nobody writes to its socket.
                .childOption(ChannelOption.SO_KEEPALIVE, true)
                .childOption(ChannelOption.RECVBUF_ALLOCATOR, READ_AT_ONCE)
                .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, HTTP_WATER_MARK)
                .childAttr(ClientAddress.PROXIES, proxies)
                .childHandler(new HttpPipeline(site, limit, tls.of(which)))
                .bind(address)
                .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            throw new CannotListenException(which, address, bound.cause());
        }
        listening.add(bound.channel());
        return (InetSocketAddress) bound.channel().localAddress();
    }

    /**
     * Listens on each address that {@link ListenAddress#addresses} returns. For port 0, all addresses use the same free
     * port.
     *
     * @return the first address, with the chosen port
     */
    public InetSocketAddress open(
            Port which, ListenAddress where, EventLoopGroup sockets, HttpHandler site, ConnectionLimit limit)
            throws CannotListenException {
        List<InetAddress> addresses;
        try {
            addresses = where.addresses();
        } catch (UnknownHostException e) {
            throw new CannotListenException(which, InetSocketAddress.createUnresolved(where.host(), where.port()), e);
        }
        var first = open(which, new InetSocketAddress(addresses.get(0), where.port()), sockets, site, limit);
        for (var other : addresses.subList(1, addresses.size())) {
            open(which, new InetSocketAddress(other, first.getPort()), sockets, site, limit);
        }
        return first;
    }

    /**
     * Opens the port that redirects to an HTTPS port, if the settings contain its address.
     *
     * @param httpsPort the port to which browsers are redirected
     * @return the address, with the chosen port; empty if the settings contain no address
     */
    public Optional<InetSocketAddress> openRedirect(int httpsPort, EventLoopGroup sockets)
            throws CannotListenException {
        if (tls.redirect().isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(open(
                Port.REDIRECT,
                tls.redirect().get(),
                sockets,
                new RedirectHandler(httpsPort),
                new ConnectionLimit(MAX_REDIRECT_CONNECTIONS, AddressLimits.DEFAULT)));
    }

    /** Stops accepting connections. Open connections stay open. */
    @Override
    public void close() {
        listening.close().awaitUninterruptibly(CLOSE_MILLIS);
    }

    /** Creates event loops for sockets. The threads of the event loops are daemons. */
    public static EventLoopGroup sockets(int threads, String name) {
        return new MultiThreadIoEventLoopGroup(
                threads, new DefaultThreadFactory(name, true), NioIoHandler.newFactory());
    }

    /** Closes all sockets of these event loops and ends their threads. Blocks for at most 1.5 s for each group. */
    public static void end(EventLoopGroup... groups) {
        for (var group : groups) {
            group.shutdownGracefully(0, CLOSE_MILLIS, TimeUnit.MILLISECONDS);
        }
        for (var group : groups) {
            group.terminationFuture().awaitUninterruptibly(CLOSE_MILLIS);
        }
    }
}
