package dev.doyen.server.http;

import dev.doyen.elector.Announcement;
import dev.doyen.elector.Deed;
import dev.doyen.elector.ElectionView;
import dev.doyen.elector.Elector;
import dev.doyen.elector.ElectorAnswer;
import dev.doyen.elector.ElectorRequest;
import dev.doyen.elector.ElectorResponse;
import dev.doyen.elector.ElectorStream;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.AttributeKey;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

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

    private final Elector elector;
    private final EventLoop loop;
    private final Map<String, Set<Listener>> listeners = new HashMap<>();
    private final AtomicInteger streams = new AtomicInteger();

    private static final AttributeKey<Boolean> BUSY = AttributeKey.valueOf(ElectorSite.class, "busy");

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
        return reply(ElectorResponse.problem(
                status, HttpResponseStatus.valueOf(status).reasonPhrase(), sentence));
    }

    @Override
    public void serve(ChannelHandlerContext ctx, FullHttpRequest request) {
        if (ctx.channel().attr(BUSY).get() != null) {
            ctx.close();
            return;
        }
        answer(ctx, request).accept(new ElectorAnswer.Cases() {
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
                carryOut(ctx, request, deed);
            }
        });
    }

    /** Answers when it is done; a request that was sent behind it, before its answer, is not taken. */
    private void carryOut(ChannelHandlerContext ctx, FullHttpRequest request, Deed deed) {
        var channel = ctx.channel();
        channel.attr(BUSY).set(true);
        request.retain();
        deeds.carryOut(deed)
                .whenComplete((reply, fault) -> loop.execute(() -> {
                    channel.attr(BUSY).set(null);
                    if (fault != null) {
                        LOG.log(Level.ERROR, "an order failed: " + deed, fault);
                    }
                    var answer = fault == null
                            ? reply
                            : reply(ElectorResponse.problem(
                                    500, "Internal Server Error", "the order failed; see the log"));
                    answer.send(ctx, request);
                    request.release();
                }));
    }

    private ElectorAnswer answer(ChannelHandlerContext ctx, FullHttpRequest request) {
        try {
            return elector.answer(electorRequest(ctx, request), Instant.now());
        } catch (RuntimeException e) {
            // Callers take a failure for "you lead", so even a fault of ours is answered: nobody is known to lead.
            LOG.log(Level.ERROR, "the elector failed on " + request.method(), e);
            return Elector.unknownLeader(Instant.now());
        }
    }

    static ElectorRequest electorRequest(ChannelHandlerContext ctx, FullHttpRequest request) {
        var headers = new HashMap<String, String>();
        request.headers().forEach(header -> headers.put(header.getKey(), header.getValue()));
        boolean fromLoopback = ctx.channel().remoteAddress() instanceof InetSocketAddress peer
                && peer.getAddress().isLoopbackAddress();
        return ElectorRequest.of(
                request.method().name(), request.uri(), headers, fromLoopback, ByteBufUtil.getBytes(request.content()));
    }

    public static HttpReply reply(ElectorResponse response) {
        return new HttpReply(
                response.status(), response.headers(), response.body().getBytes(StandardCharsets.UTF_8));
    }

    private void open(ChannelHandlerContext ctx, FullHttpRequest request, ElectorStream stream) {
        if (request.method().equals(HttpMethod.HEAD)) {
            new HttpReply(200, stream.headers(), new byte[0]).sendAndClose(ctx);
            return;
        }
        if (streams.get() >= MAX_STREAMS) {
            refusal(503, "There are already " + MAX_STREAMS + " event streams; poll / instead, or try later.")
                    .with("Retry-After", "5")
                    .send(ctx, request);
            return;
        }
        var response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        stream.headers().forEach(response.headers()::set);
        if (request.protocolVersion().isKeepAliveDefault()) {
            HttpUtil.setTransferEncodingChunked(response, true);
            response.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.KEEP_ALIVE);
        } else {
            response.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        }
        HttpPipeline.leaveHttp(ctx.channel());
        ctx.channel().pipeline().addLast(new StreamEnd());
        ctx.channel().write(response);
        register(ctx.channel(), stream);
        ctx.channel().writeAndFlush(content(stream.first()));
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
                    () -> tell(channel, ElectorStream.HEARTBEAT),
                    interval.toMillis(),
                    interval.toMillis(),
                    TimeUnit.MILLISECONDS);
            channel.closeFuture().addListener(closed -> beat.cancel(false));
        });
    }

    private void announce(Announcement announcement) {
        for (var listener : Set.copyOf(listeners.getOrDefault(announcement.election(), Set.of()))) {
            tell(listener.channel(), announcement.block(listener.dialect()));
        }
    }

    /** A listener that left its last news unread is dropped: it comes back and gets the present state. */
    private static void tell(Channel channel, String block) {
        if (channel.isWritable()) {
            channel.writeAndFlush(content(block));
        } else {
            channel.close();
        }
    }

    private static DefaultHttpContent content(String block) {
        return new DefaultHttpContent(Unpooled.copiedBuffer(block, StandardCharsets.UTF_8));
    }
}
