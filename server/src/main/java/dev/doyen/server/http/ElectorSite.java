package dev.doyen.server.http;

import dev.doyen.elector.Announcement;
import dev.doyen.elector.Deed;
import dev.doyen.elector.ElectionView;
import dev.doyen.elector.Elector;
import dev.doyen.elector.ElectorAnswer;
import dev.doyen.elector.ElectorRequest;
import dev.doyen.elector.ElectorResponse;
import dev.doyen.elector.ElectorStream;
import dev.doyen.event.Leader;
import dev.doyen.store.FaultLog;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * The shell of {@link Elector}: carries requests in, responses and streams out.
 *
 * <p>Threads: the elector and the listeners belong to one event loop, which also serves the elector's sockets;
 * {@link #electionChanged} may be called from any thread.
 */
public final class ElectorSite implements HttpSite {

    /** How many event streams may be open at once. */
    public static final int MAX_STREAMS = 1_000;

    private static final System.Logger LOG = System.getLogger(ElectorSite.class.getName());

    private final FaultLog faults = new FaultLog(LOG);
    private final Elector elector;
    private final EventLoop loop;
    private final Map<String, Set<Listener>> listeners = new HashMap<>();
    private final AtomicInteger streams = new AtomicInteger();

    private final Deeds deeds;

    private record Listener(Channel channel, ElectorStream.Dialect dialect) {}

    /** For a program that takes no orders. */
    public ElectorSite(Elector elector, EventLoop loop) {
        this(elector, loop, deed -> {
            throw new IllegalStateException("a deed without anybody to carry it out: " + deed);
        });
    }

    public ElectorSite(Elector elector, EventLoop loop, Deeds deeds) {
        this.elector = elector;
        this.loop = loop;
        this.deeds = deeds;
    }

    /**
     * Tells every stream what is so now, if it is news. Threads: the event loop's, where nothing older can come after it
     * that something newer does not follow.
     */
    public void lookAgain(Supplier<Optional<ElectionView>> now) {
        now.get().flatMap(elector::changed).ifPresent(this::announce);
    }

    /** Tells every stream of that election, if it is news. */
    public void electionChanged(ElectionView view) {
        try {
            loop.execute(() -> elector.changed(view).ifPresent(this::announce));
        } catch (RejectedExecutionException e) {
            // The sockets are closed: there is nobody left to tell.
        }
    }

    /** Completes when what was told before is written to the streams; at once if nobody is told any more. Threads: any. */
    public CompletableFuture<Void> written() {
        try {
            return CompletableFuture.runAsync(() -> {}, loop);
        } catch (RejectedExecutionException e) {
            return CompletableFuture.completedFuture(null);
        }
    }

    /** How many event streams are open. Threads: any. */
    public int openStreams() {
        return streams.get();
    }

    @Override
    public HttpReply refusal(int status, String sentence) {
        return problem(status, sentence);
    }

    /** A refusal in the words of {@code /v1}. */
    public static HttpReply problem(int status, String sentence) {
        return problem(status, sentence, Optional.empty());
    }

    /**
     * The same, for an order.
     *
     * @param leader the candidate that leads now, if the reply names one
     */
    static HttpReply problem(int status, String sentence, Optional<Leader> leader) {
        return reply(ElectorResponse.problem(
                status, HttpResponseStatus.valueOf(status).reasonPhrase(), sentence, leader));
    }

    @Override
    public void serve(ChannelHandlerContext ctx, FullHttpRequest request) {
        answer(electorRequest(ctx, request)).accept(new ElectorAnswer.Cases() {
            @Override
            public void response(ElectorResponse response) {
                reply(response).send(ctx, request);
            }

            @Override
            public void stream(ElectorStream stream) {
                open(ctx, request, stream);
            }

            @Override
            public void deed(Deed deed) {
                var late = new LateReply(ctx, request);
                carryOut(deed).thenAccept(late::send);
            }
        });
    }

    /**
     * Takes an order that came by another door, as if it had come by this one. Completes normally, on any thread. Threads:
     * any.
     *
     * @param order asks for no stream
     */
    public CompletableFuture<HttpReply> order(ElectorRequest order) {
        var replied = new CompletableFuture<HttpReply>();
        loop.execute(() -> answer(order).accept(new ElectorAnswer.Cases() {
            @Override
            public void response(ElectorResponse response) {
                replied.complete(reply(response));
            }

            @Override
            public void stream(ElectorStream stream) {
                replied.complete(problem(404, "There are no event streams at this door."));
            }

            @Override
            public void deed(Deed deed) {
                carryOut(deed).thenAccept(replied::complete);
            }
        }));
        return replied;
    }

    private CompletionStage<HttpReply> carryOut(Deed deed) {
        CompletionStage<HttpReply> reply;
        try {
            reply = deeds.carryOut(deed);
        } catch (Throwable e) {
            reply = CompletableFuture.failedFuture(e);
        }
        return reply.exceptionally(fault -> {
            faults.report("an order", fault);
            return problem(500, "the order failed; see the log");
        });
    }

    private ElectorAnswer answer(ElectorRequest request) {
        try {
            return elector.answer(request, Instant.now());
        } catch (Throwable e) {
            // Callers take a failure for "you lead", so even a fault of ours is answered: nobody is known to lead.
            faults.report("the elector on " + request.method(), e);
            return Elector.unknownLeader(Instant.now());
        }
    }

    static ElectorRequest electorRequest(ChannelHandlerContext ctx, FullHttpRequest request) {
        var headers = new HashMap<String, String>();
        request.headers().forEach(header -> headers.put(header.getKey(), header.getValue()));
        boolean fromLoopback = ctx.channel().remoteAddress() instanceof InetSocketAddress peer
                && peer.getAddress().isLoopbackAddress();
        return ElectorRequest.of(
                        request.method().name(),
                        request.uri(),
                        headers,
                        fromLoopback,
                        ByteBufUtil.getBytes(request.content()))
                .from(RemoteAddress.of(ctx.channel().remoteAddress()));
    }

    public static HttpReply reply(ElectorResponse response) {
        return new HttpReply(
                response.status(), response.headers(), response.body().getBytes(StandardCharsets.UTF_8));
    }

    private void open(ChannelHandlerContext ctx, FullHttpRequest request, ElectorStream stream) {
        if (EventStream.answersHead(ctx, request, stream.headers())) {
            return;
        }
        if (streams.get() >= MAX_STREAMS) {
            refusal(503, "There are already " + MAX_STREAMS + " event streams; poll / instead, or try later.")
                    .with("Retry-After", "5")
                    .send(ctx, request);
            return;
        }
        EventStream.open(ctx, request, stream.headers());
        register(ctx.channel(), stream);
        ctx.channel().writeAndFlush(EventStream.content(stream.first()));
    }

    private void register(Channel channel, ElectorStream stream) {
        var listener = new Listener(channel, stream.dialect());
        var ofElection = listeners.computeIfAbsent(stream.election(), name -> new LinkedHashSet<>());
        if (ofElection.add(listener)) {
            streams.incrementAndGet();
        }
        channel.closeFuture().addListener(closed -> {
            if (ofElection.remove(listener)) {
                streams.decrementAndGet();
            }
            if (ofElection.isEmpty()) {
                listeners.remove(stream.election(), ofElection);
            }
        });
        stream.heartbeat().ifPresent(interval -> {
            var beat = loop.scheduleAtFixedRate(
                    () -> faults.survives("a heartbeat", () -> tell(channel, ElectorStream.HEARTBEAT)),
                    interval.toMillis(),
                    interval.toMillis(),
                    TimeUnit.MILLISECONDS);
            channel.closeFuture().addListener(closed -> beat.cancel(false));
        });
    }

    private void announce(Announcement announcement) {
        for (var listener : Set.copyOf(listeners.getOrDefault(announcement.election(), Set.of()))) {
            if (!faults.survives("an announcement", () -> tell(listener, announcement))) {
                // It missed news: it comes back and gets the present state.
                listener.channel().close();
            }
        }
    }

    private static void tell(Listener listener, Announcement announcement) {
        String block = announcement.block(listener.dialect());
        if (!block.isEmpty()) {
            tell(listener.channel(), block);
        }
    }

    /** A listener that left its last news unread is dropped: it comes back and gets the present state. */
    private static void tell(Channel channel, String block) {
        if (channel.isWritable()) {
            channel.writeAndFlush(EventStream.content(block));
        } else {
            channel.close();
        }
    }
}
