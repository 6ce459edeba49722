package dev.doyen.benchmarks.hub;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.websocketx.WebSocketClientProtocolConfig;
import io.netty.handler.codec.http.websocketx.WebSocketClientProtocolHandler;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Many clients of one server, on one event loop of this process.
 *
 * <p>Threads: one thread adds clients and waits. The event loop processes the frames that the clients receive.
 */
final class Crowd implements AutoCloseable, Client.Receiver {

    /**
     * The maximum number of concurrent handshakes.
     *
     * <p>With more concurrent handshakes, some would wait so long that the server rejects them or lets them time out.
     */
    private static final int AT_ONCE = 200;

    private static final Duration LONGEST_ENTRY = Duration.ofMinutes(3);
    private static final int LARGEST_FRAME = 4 * 1024 * 1024;

    private final int port;
    private final Dialect dialect;
    /** The clients' side of TLS; null if the clients connect without TLS. */
    private final @Nullable SslContext tls;

    private final EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final Semaphore handshakes = new Semaphore(AT_ONCE);
    private final AtomicInteger ready = new AtomicInteger();
    private final AtomicInteger ended = new AtomicInteger();
    private final AtomicInteger expectedEnds = new AtomicInteger();
    private final AtomicLong entriesLeft = new AtomicLong();
    private final AtomicLong entryFrames = new AtomicLong();
    private final AtomicLong receivedBytes = new AtomicLong();
    private volatile CountDownLatch entriesReceived = new CountDownLatch(0);
    private final List<Client> clients = new CopyOnWriteArrayList<>();
    private volatile BiConsumer<Client, String> onMessage = (client, text) -> {};
    private volatile BiConsumer<Client, String> onLeader = (client, id) -> {};

    Crowd(int port, Dialect dialect) {
        this.port = port;
        this.dialect = dialect;
        this.tls = dialect.usesTls() ? tls() : null;
    }

    /** Accepts every certificate, because the certificate of the benchmark is self-signed. */
    private static SslContext tls() {
        try {
            return SslContextBuilder.forClient()
                    .trustManager(InsecureTrustManagerFactory.INSTANCE)
                    .endpointIdentificationAlgorithm("")
                    .build();
        } catch (SSLException e) {
            throw new IllegalStateException("this JVM has no TLS", e);
        }
    }

    /**
     * Adds one client. {@link #awaitReady} waits until the client is ready.
     *
     * @throws TimeoutException if too many earlier clients do not become ready within three minutes
     */
    Client enter(Dialect.Part part, String id, String channel) throws InterruptedException, TimeoutException {
        if (!handshakes.tryAcquire(LONGEST_ENTRY.toSeconds(), TimeUnit.SECONDS)) {
            throw new TimeoutException(
                    ready.get() + " of " + clients.size() + " clients are ready, and the others do not become ready");
        }
        var client = new Client(id, dialect, dialect.talk(part, id, channel), this);
        var uri = URI.create((tls == null ? "ws" : "wss") + "://127.0.0.1:" + port + dialect.target(id));
        var protocol = WebSocketClientProtocolConfig.newBuilder()
                .webSocketUri(uri)
                .maxFramePayloadLength(LARGEST_FRAME)
                // The clients do not validate text, because the benchmark measures the servers.
                .withUTF8Validator(false)
                .build();
        new Bootstrap()
                .group(loop)
                .channel(NioSocketChannel.class)
                .option(ChannelOption.TCP_NODELAY, true)
                .handler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        if (tls != null) {
                            channel.pipeline().addLast(tls.newHandler(channel.alloc()));
                        }
                        channel.pipeline()
                                .addLast(new HttpClientCodec())
                                .addLast(new HttpObjectAggregator(65_536))
                                .addLast(new WebSocketClientProtocolHandler(protocol))
                                .addLast(client);
                    }
                })
                .connect("127.0.0.1", port);
        clients.add(client);
        return client;
    }

    /**
     * Waits at most three minutes until all clients are ready.
     *
     * @throws TimeoutException if a client is not ready in time, or if a client has ended that was not to end
     *     ({@link #expectEnd}); the message contains the numbers of ready, of all and of ended clients
     */
    void awaitReady() throws InterruptedException, TimeoutException {
        long until = System.nanoTime() + LONGEST_ENTRY.toNanos();
        while (ready.get() < clients.size()) {
            if (System.nanoTime() - until > 0 || ended.get() > expectedEnds.get()) {
                throw new TimeoutException(
                        ready.get() + " of " + clients.size() + " clients are ready, " + ended.get() + " have ended");
            }
            TimeUnit.MILLISECONDS.sleep(5);
        }
    }

    /** Adds listeners and a publisher to a channel, and returns the publisher when all of them are ready. */
    Client enterWithListeners(int listeners, String channel) throws InterruptedException, TimeoutException {
        for (int i = 0; i < listeners; i++) {
            enter(Dialect.Part.LISTENER, "l" + i, channel);
        }
        Client publisher = enter(Dialect.Part.WORKER, "publisher", channel);
        awaitReady();
        return publisher;
    }

    /** Declares that one more client is to end. */
    void expectEnd() {
        expectedEnds.incrementAndGet();
    }

    /** Returns the number of clients whose socket has closed. */
    int ended() {
        return ended.get();
    }

    /** Passes every published message to this listener from now on. The listener runs on the crowd's event loop. */
    void onMessage(BiConsumer<Client, String> listener) {
        onMessage = listener;
    }

    /**
     * Passes the name of each new leader to this listener from now on.
     *
     * <p>The crowd calls the listener once for each client that receives the name, on the crowd's event loop.
     */
    void onLeader(BiConsumer<Client, String> listener) {
        onLeader = listener;
    }

    @Override
    public void ready(Client client) {
        ready.incrementAndGet();
        handshakes.release();
    }

    /**
     * Counts the enter events that the clients receive from now on. During the count, the crowd ignores everything else
     * that the clients receive.
     *
     * <p>The count ends when all clients together have received {@code expected} entries.
     */
    void countEntries(long expected) {
        entriesLeft.set(expected);
        entriesReceived = new CountDownLatch(1);
    }

    /**
     * Waits at most three minutes for the entries.
     *
     * @throws TimeoutException if entries are missing; the message contains their number
     */
    void awaitEntries() throws InterruptedException, TimeoutException {
        if (!entriesReceived.await(LONGEST_ENTRY.toSeconds(), TimeUnit.SECONDS)) {
            throw new TimeoutException(entriesLeft + " entries were not received, " + ended + " clients were closed");
        }
    }

    /** Returns the number of frames that contained the entries. */
    long entryFrames() {
        return entryFrames.get();
    }

    /** Returns the number of bytes of all received text frames, with the frame headers. */
    long receivedBytes() {
        return receivedBytes.get();
    }

    @Override
    public boolean entries(Client client, ByteBuf frame) {
        int payload = frame.readableBytes();
        // RFC 6455, section 5.2: the header of an unmasked frame has 2 bytes and the extended length.
        receivedBytes.addAndGet(payload + (payload < 126 ? 2 : payload < 65_536 ? 4 : 10));
        if (entriesReceived.getCount() == 0) {
            return false;
        }
        int entries = dialect.entriesIn(frame);
        if (entries > 0) {
            entryFrames.incrementAndGet();
            if (entriesLeft.addAndGet(-entries) <= 0) {
                entriesReceived.countDown();
            }
        }
        return true;
    }

    @Override
    public void message(Client client, String text) {
        onMessage.accept(client, text);
    }

    @Override
    public void leader(Client client, String id) {
        onLeader.accept(client, id);
    }

    @Override
    public void ended(Client client) {
        ended.incrementAndGet();
    }

    @Override
    public void close() {
        loop.shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly();
    }
}
