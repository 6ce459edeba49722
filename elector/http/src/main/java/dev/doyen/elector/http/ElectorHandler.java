package dev.doyen.elector.http;

import dev.doyen.elector.AcceptedCommand;
import dev.doyen.elector.Announcement;
import dev.doyen.elector.ElectionView;
import dev.doyen.elector.Elector;
import dev.doyen.elector.ElectorAnswer;
import dev.doyen.elector.ElectorRequest;
import dev.doyen.elector.ElectorResponse;
import dev.doyen.elector.ElectorStream;
import dev.doyen.elector.RejectedCommand;
import dev.doyen.elector.audit.AuditEvent;
import dev.doyen.elector.audit.AuditLog;
import dev.doyen.elector.audit.AuditRecord;
import dev.doyen.event.Leader;
import dev.doyen.log.FaultLog;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
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
 * <p>Threads: one event loop owns the elector and the listeners, and also serves the elector's sockets.
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
    private final AuditLog audit;

    private record Listener(Channel channel, ElectorStream.Dialect dialect) {}

    /** Creates a handler for a program that accepts no admin commands. */
    public ElectorHandler(Elector elector, EventLoop loop) {
        this(
                elector,
                loop,
                command -> {
                    throw new IllegalStateException("no handler for the command " + command);
                },
                AuditLog.NONE);
    }

    /**
     * Creates a handler.
     *
     * @param audit the log of the admin commands; the handler does not close it
     */
    public ElectorHandler(Elector elector, EventLoop loop, AdminCommands commands, AuditLog audit) {
        this.elector = elector;
        this.loop = loop;
        this.commands = commands;
        this.audit = audit;
    }

    /**
     * Sends the current state to the event streams if the state has changed.
     *
     * <p>Threads: the event loop only. The queue of the event loop can still contain older changes from {@link
     * #electionChanged}. The newest change is then also in the queue, behind the older changes. So the last event of
     * each stream contains the newest change.
     *
     * @param now the function that returns the current state; empty if the state is unknown
     */
    public void sendChange(Supplier<Optional<ElectionView>> now) {
        now.get().flatMap(elector::changed).ifPresent(this::announce);
    }

    /** Sends the state of that election to its event streams if the state has changed. Threads: any. */
    public void electionChanged(ElectionView view) {
        try {
            loop.execute(() -> elector.changed(view).ifPresent(this::announce));
        } catch (RejectedExecutionException e) {
            // The event loop has shut down, so no stream is open.
        }
    }

    /**
     * Returns a future that completes after all earlier events are written to the streams.
     *
     * <p>If the event loop has ended, the future is already complete.
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

    /** Returns the number of open event streams. Threads: any. */
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
     * @param leader the leader that the response reports; empty if the response does not report a leader
     */
    static HttpReply problem(int status, String sentence, Optional<Leader> leader) {
        return reply(ElectorResponse.problem(
                status, HttpResponseStatus.valueOf(status).reasonPhrase(), sentence, leader));
    }

    @Override
    public void serve(ChannelHandlerContext ctx, FullHttpRequest request) {
        if (RequestOrigin.hasForeignHost(ctx, request)) {
            reply(Elector.foreignHost(electorRequest(ctx, request), Instant.now()))
                    .send(ctx, request);
            return;
        }
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
            public void accepted(AcceptedCommand command) {
                var late = new LateReply(ctx, request);
                carryOut(command).thenAccept(late::send);
            }

            @Override
            public void rejected(RejectedCommand command) {
                reject(command).send(ctx, request);
            }
        });
    }

    /**
     * Handles an admin command from another port like one from the elector's port.
     *
     * <p>The future never fails, and may complete on any thread. Threads: any.
     *
     * @param request the request, which must not be a request for an event stream
     * @throws RejectedExecutionException if the event loop has ended
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
                replied.complete(problem(404, "This address has no event streams."));
            }

            @Override
            public void accepted(AcceptedCommand command) {
                carryOut(command).thenAccept(replied::complete);
            }

            @Override
            public void rejected(RejectedCommand command) {
                replied.complete(reject(command));
            }
        }));
        return replied;
    }

    private HttpReply reject(RejectedCommand command) {
        audit.write(AuditRecord.of(AuditEvent.ADMIN_REJECTED)
                .with("address", command.address())
                .with("command", command.action())
                .with("election", command.election())
                .with("message", command.reason()));
        return reply(command.response());
    }

    private CompletionStage<HttpReply> carryOut(AcceptedCommand command) {
        CompletionStage<HttpReply> reply;
        try {
            reply = commands.carryOut(command);
        } catch (Throwable e) {
            reply = CompletableFuture.failedFuture(e);
        }
        return reply.exceptionally(fault -> {
                    faults.report("an admin command", fault);
                    return problem(500, "the admin command failed; see the log");
                })
                .whenComplete((done, fault) -> audit.write(AuditRecord.of(AuditEvent.ADMIN_COMMAND)
                        .with("by", command.by().name())
                        .with("address", command.by().address())
                        .with("command", command.action())
                        .with("election", command.command().election())
                        .with("status", done.status())));
    }

    private ElectorAnswer answer(ElectorRequest request) {
        try {
            return elector.answer(request, Instant.now());
        } catch (Throwable e) {
            // Many clients of "/" treat a failed request as "you lead". So even after an internal fault, the answer of
            // "/" reports that no leader is known.
            faults.report("the elector on " + request.method(), e);
            return Elector.afterFault(request, Instant.now());
        }
    }

    static ElectorRequest electorRequest(ChannelHandlerContext ctx, FullHttpRequest request) {
        var headers = new HashMap<String, String>();
        request.headers().forEach(header -> headers.put(header.getKey(), header.getValue()));
        return ElectorRequest.of(
                        request.method().name(),
                        request.uri(),
                        headers,
                        RequestOrigin.isThisMachine(ctx, request),
                        ByteBufUtil.getBytes(request.content()))
                .from(ClientAddress.of(ctx.channel(), request))
                .withAdminCertificate(ClientCertificate.isAdmin(ctx.channel(), request));
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
                    .with("Retry-After", HttpLimits.RETRY_AFTER_SECONDS)
                    .send(ctx, request);
            return;
        }
        Optional<String> rejection = EventStream.open(ctx, request, stream.headers());
        if (rejection.isPresent()) {
            refusal(429, rejection.get())
                    .with("Retry-After", HttpLimits.RETRY_AFTER_SECONDS)
                    .send(ctx, request);
            return;
        }
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
        long everyMillis = stream.heartbeat().toMillis();
        var beat = loop.scheduleAtFixedRate(
                () -> faults.survives("a heartbeat", () -> write(channel, ElectorStream.HEARTBEAT)),
                everyMillis,
                everyMillis,
                TimeUnit.MILLISECONDS);
        channel.closeFuture().addListener(closed -> beat.cancel(false));
    }

    private void announce(Announcement announcement) {
        for (var listener : Set.copyOf(listeners.getOrDefault(announcement.election(), Set.of()))) {
            if (!faults.survives("an announcement", () -> write(listener, announcement))) {
                // The stream has missed an event. The client reconnects and then receives the current state.
                listener.channel().close();
            }
        }
    }

    private static void write(Listener listener, Announcement announcement) {
        String block = announcement.block(listener.dialect());
        if (!block.isEmpty()) {
            write(listener.channel(), block);
        }
    }

    /**
     * Writes to a stream, or closes the stream if its client reads too slowly.
     *
     * <p>The client reconnects and then receives the current state.
     */
    private static void write(Channel channel, String block) {
        if (channel.isWritable()) {
            channel.writeAndFlush(EventStream.content(block));
        } else {
            channel.close();
        }
    }
}
