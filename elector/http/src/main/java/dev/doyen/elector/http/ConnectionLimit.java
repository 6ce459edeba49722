package dev.doyen.elector.http;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.util.AttributeKey;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Limits the open connections of a port and of each client address.
 *
 * <p>The limit is necessary because each connection uses a file descriptor.
 *
 * <p>The handler closes new connections above the limit of the port. {@link HttpRequestDecoder} rejects the connections
 * above the limit of their address. Behind a trusted proxy that sends no header of the PROXY protocol, the address of a
 * connection is unknown, so only the limit of the port applies.
 *
 * <p>All sockets of a port share one instance. Threads: any.
 */
@Sharable
public final class ConnectionLimit extends ChannelInboundHandlerAdapter {

    /** The client address for which this class counts a connection. */
    private static final AttributeKey<String> COUNTED = AttributeKey.valueOf(ConnectionLimit.class, "counted");

    private final int maxConnections;
    private final AddressLimits perAddress;
    private final AtomicInteger open = new AtomicInteger();
    private final AddressCounts connections = new AddressCounts();
    private final AddressCounts streams = new AddressCounts();

    /** The decision about a new connection. */
    enum Admission {
        ADMITTED,
        /** The connection is above the limit of its address. The server answers it and closes it. */
        REJECTED,
        /** Many rejected connections of the address are still open. The server closes this one without an answer. */
        DROPPED
    }

    public ConnectionLimit(int maxConnections, AddressLimits perAddress) {
        this.maxConnections = maxConnections;
        this.perAddress = perAddress;
    }

    /** Creates the limit of a port that serves only probes. */
    public static ConnectionLimit ofProbes() {
        return new ConnectionLimit(
                HttpLimits.MAX_PROBE_CONNECTIONS,
                new AddressLimits(HttpLimits.PROBE_CONNECTIONS_PER_ADDRESS, HttpLimits.PROBE_CONNECTIONS_PER_ADDRESS));
    }

    /** Returns the number of open connections. */
    public int openConnections() {
        return open.get();
    }

    /** Returns the maximum number of open connections. */
    public int maxConnections() {
        return maxConnections;
    }

    /** Counts a connection for its client address, and returns the decision about the connection. */
    Admission admit(Channel channel) {
        Optional<String> address = ClientAddress.ofConnection(channel);
        if (address.isEmpty()) {
            return Admission.ADMITTED;
        }
        channel.attr(COUNTED).set(address.get());
        int count = connections.add(address.get());
        if (count <= perAddress.connections()) {
            return Admission.ADMITTED;
        }
        return count <= 2L * perAddress.connections() ? Admission.REJECTED : Admission.DROPPED;
    }

    /** Returns the sentence that rejects a connection. */
    String rejection(Channel channel) {
        return "There are already " + perAddress.connections() + " open connections from "
                + ClientAddress.ofConnection(channel).orElse("this address")
                + "; close some of them, or try again later.";
    }

    /**
     * Stops counting a connection for its address.
     *
     * <p>The caller calls this method when another protocol has accepted the client, because that protocol has its own
     * limits.
     */
    public static void clientAccepted(Channel channel) {
        ConnectionLimit limit = channel.pipeline().get(ConnectionLimit.class);
        if (limit != null) {
            limit.uncount(channel);
        }
    }

    /**
     * Counts an event stream until its connection is closed.
     *
     * @return a sentence that rejects the stream; empty if the address may open it
     */
    static Optional<String> openStream(Channel channel, FullHttpRequest request) {
        ConnectionLimit limit = channel.pipeline().get(ConnectionLimit.class);
        String address = ClientAddress.of(channel, request);
        return limit == null || address.isEmpty() ? Optional.empty() : limit.openStream(channel, address);
    }

    private Optional<String> openStream(Channel channel, String address) {
        if (streams.add(address) > perAddress.streams()) {
            streams.remove(address);
            return Optional.of("There are already " + perAddress.streams() + " event streams from " + address
                    + "; close some of them, or try again later.");
        }
        channel.closeFuture().addListener(closed -> streams.remove(address));
        return Optional.empty();
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        if (open.incrementAndGet() > maxConnections) {
            ctx.close();
            return;
        }
        ctx.fireChannelActive();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        open.decrementAndGet();
        uncount(ctx.channel());
        ctx.fireChannelInactive();
    }

    private void uncount(Channel channel) {
        String address = channel.attr(COUNTED).getAndSet(null);
        if (address != null) {
            connections.remove(address);
        }
    }
}
