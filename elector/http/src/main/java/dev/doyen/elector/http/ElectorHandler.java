package dev.doyen.elector.http;

import dev.doyen.elector.AdminCommand;
import dev.doyen.elector.Announcement;
import dev.doyen.elector.ElectionView;
import dev.doyen.elector.Elector;
import dev.doyen.elector.ElectorAnswer;
import dev.doyen.elector.ElectorRequest;
import dev.doyen.elector.ElectorResponse;
import dev.doyen.elector.ElectorStream;
import dev.doyen.event.Leader;
import dev.doyen.log.FaultLog;
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
 * Serves an {@link Elector} over HTTP: requests, responses and event streams.
 *
 * <p>Threads: one event loop owns the elector and the listeners, and serves the elector's sockets too.
 * {@link #electionChanged} may be called from any thread.
 */
public final class ElectorHandler implements HttpHandler {

    /** The maximum number of open event streams. */
    public static final int MAX_STREAMS = 1_000;

    private static final System.Logger LOG = System.getLogger(ElectorHandler.class.getName());

    private final FaultLog faults = new FaultLog(LOG);
    private final Elector elector;
    private final EventLoop loop;
    private final Map<String, Set<Listener>> listeners = new HashMap<>();
    private final AtomicInteger streams = new AtomicInteger();

    private final AdminCommands commands;

    private record Listener(Channel channel, ElectorStream.Dialect dialect) {}

    /** Creates a site for a program that accepts no admin commands. */
    public ElectorHandler(Elector elector, EventLoop loop) {
        this(elector, loop, command -> {
            throw new IllegalStateException("a command without anybody to carry it out: " + command);
        });
    }

    public ElectorHandler(Elector elector, EventLoop loop, AdminCommands commands) {
        this.elector = elector;
        this.loop = loop;
        this.commands = commands;
    }

    /**
     * Sends the current state to the event streams if it differs from what they last received.
     *
     * <p>Threads: the event loop only. A change that is still queued there may be older than the current state. Then
     * the newer change is queued behind it, so the streams end with the newer one.
     */
    public void lookAgain(Supplier<Optional<ElectionView>> now) {
        now.get().flatMap(elector::changed).ifPresent(this::announce);
    }

    /** Sends the state of that election to its event streams if it has changed. Threads: any. */
    public void electionChanged(ElectionView view) {
        try {
            loop.execute(() -> elector.changed(view).ifPresent(this::announce));
        } catch (RejectedExecutionException e) {
            // The event loop has shut down, so no stream is open.
        }
    }

    /**
     * Completes after all earlier events are written to the streams; at once if the event loop has ended.
     *
     * <p>Threads: any.
     */
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

    /** Builds an error response in the format of {@code /v1}. */
    public static HttpReply problem(int status, String sentence) {
        return problem(status, sentence, Optional.empty());
    }

    /**
     * Builds an error response to an admin command.
     *
     * @param leader the current leader, if the reply names it
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
            public void command(AdminCommand command) {
                var late = new LateReply(ctx, request);
                carryOut(command).thenAccept(late::send);
            }
        });
    }

    /**
     * Handles an admin command from another port like one from the elector's port.
     *
     * <p>The future never fails. It completes on any thread. Threads: any.
     *
     * @param request must not ask for an event stream
     */
    public CompletableFuture<HttpReply> carryOut(ElectorRequest request) {
        var replied = new CompletableFuture<HttpReply>();
        loop.execute(() -> answer(request).accept(new ElectorAnswer.Cases() {
            @Override
            public void response(ElectorResponse response) {
                replied.complete(reply(response));
            }

            @Override
            public void stream(ElectorStream stream) {
                replied.complete(problem(404, "There are no event streams at this door."));
            }

            @Override
            public void command(AdminCommand command) {
                carryOut(command).thenAccept(replied::complete);
            }
        }));
        return replied;
    }

    private CompletionStage<HttpReply> carryOut(AdminCommand command) {
        CompletionStage<HttpReply> reply;
        try {
            reply = commands.carryOut(command);
        } catch (Throwable e) {
            reply = CompletableFuture.failedFuture(e);
        }
        return reply.exceptionally(fault -> {
            faults.report("an admin command", fault);
            return problem(500, "the admin command failed; see the log");
        });
    }

    private ElectorAnswer answer(ElectorRequest request) {
        try {
            return elector.answer(request, Instant.now());
        } catch (Throwable e) {
            // RateLimits treat a failed request as "you lead". So even an internal fault returns a reply: no leader is
            // known.
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
                // The stream has missed an event. Its client reconnects and then receives the current state.
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

    /**
     * Writes to a stream, or closes it if its client has not read the last event.
     *
     * <p>The client reconnects and then receives the current state.
     */
    private static void tell(Channel channel, String block) {
        if (channel.isWritable()) {
            channel.writeAndFlush(EventStream.content(block));
        } else {
            channel.close();
        }
    }
}
