package dev.doyen.elector.console;

import dev.doyen.elector.http.EventStream;
import dev.doyen.elector.http.HttpReply;
import dev.doyen.log.FaultLog;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.FullHttpRequest;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * Sends the content of a console to its viewers. The default interval is one second.
 *
 * <p>If no viewer is connected, the feed builds no content.
 *
 * <p>Threads: the thread of the {@link ConsoleContent} owns the viewers. {@link #stream} must be called on the event
 * loop of its socket. The other methods may be called from any thread.
 *
 * @param <V> the type that describes a viewer. The feed builds the content once for all viewers with equal values
 */
public final class ConsoleFeed<V> {

    /** The maximum number of viewers. */
    public static final int MAX_WATCHERS = 16;

    private static final Duration EVERY = Duration.ofSeconds(1);

    private static final Map<String, String> HEADERS = Map.of(
            "Content-Type", "text/event-stream",
            "Cache-Control", "no-cache",
            "X-Accel-Buffering", "no",
            "X-Content-Type-Options", "nosniff");

    /** A viewer that misses more than this number of consecutive events is disconnected. */
    private static final int MAX_MISSED_READS = 30;

    private final FaultLog faults = new FaultLog(System.getLogger("dev.doyen"));
    private final ConsoleContent<V> content;
    private final AtomicInteger watching = new AtomicInteger();

    /** The viewers by their sockets. Only the thread of the {@link ConsoleContent} uses this map. */
    private final Map<Channel, Watcher<V>> watchers = new LinkedHashMap<>();

    private static final class Watcher<V> {
        private final V known;
        /** The number of consecutive events that the socket could not accept. */
        private int missed;

        Watcher(V known) {
            this.known = known;
        }
    }

    /**
     * Creates a feed with one event per second.
     *
     * @param clock the event loop that runs the timer
     */
    public ConsoleFeed(ConsoleContent<V> content, EventLoop clock) {
        this(content, clock, EVERY);
    }

    /**
     * Creates a feed.
     *
     * @param every the time between two events
     */
    public ConsoleFeed(ConsoleContent<V> content, EventLoop clock, Duration every) {
        this.content = content;
        // The task catches exceptions, because a scheduler does not repeat a task that has thrown one.
        clock.scheduleAtFixedRate(
                () -> faults.survives("the console", this::look),
                every.toMillis(),
                every.toMillis(),
                TimeUnit.MILLISECONDS);
    }

    /**
     * Answers with an event stream, or with an error if there are too many streams.
     *
     * <p>The error is 503 for more than {@value #MAX_WATCHERS} viewers, and 429 if the client's address has too many
     * streams. Threads: the socket's event loop.
     */
    public void stream(ChannelHandlerContext ctx, FullHttpRequest request, V known) {
        if (EventStream.answersHead(ctx, request, HEADERS)) {
            return;
        }
        if (!admits()) {
            HttpReply.sentence(503, "There are already " + MAX_WATCHERS + " open consoles; close one of them first.")
                    .with("Retry-After", "5")
                    .send(ctx, request);
            return;
        }
        Optional<String> rejection = EventStream.open(ctx, request, HEADERS);
        if (rejection.isPresent()) {
            watching.decrementAndGet();
            HttpReply.sentence(429, rejection.get()).with("Retry-After", "5").send(ctx, request);
            return;
        }
        ctx.flush();
        watch(ctx.channel(), known);
    }

    /** Returns the number of viewers. */
    public int viewers() {
        return watching.get();
    }

    /** Reserves a place for one more viewer. Returns false if there are already {@value #MAX_WATCHERS} viewers. */
    boolean admits() {
        if (watching.incrementAndGet() > MAX_WATCHERS) {
            watching.decrementAndGet();
            return false;
        }
        return true;
    }

    /** Sends events to this socket from now on. The first event is sent at once. */
    void watch(Channel socket, V known) {
        socket.closeFuture().addListener(closed -> {
            watching.decrementAndGet();
            content.look(shown -> watchers.remove(socket));
        });
        content.look(shown -> {
            // If the socket is closed already, its watcher has perhaps been removed before.
            if (socket.isOpen()) {
                watchers.put(socket, new Watcher<>(known));
                socket.writeAndFlush(event(shown, known));
            }
        });
    }

    private void look() {
        if (watching.get() > 0) {
            content.look(this::send);
        }
    }

    private void send(Function<V, String> shown) {
        var events = new HashMap<V, DefaultHttpContent>();
        watchers.forEach((socket, watcher) -> {
            if (socket.isWritable()) {
                watcher.missed = 0;
                var event = events.computeIfAbsent(watcher.known, known -> event(shown, known));
                socket.writeAndFlush(event.retainedDuplicate());
            } else if (++watcher.missed > MAX_MISSED_READS) {
                // A few missed events do no harm, because each event contains the full state. But this viewer no longer
                // reads.
                socket.close();
            }
        });
        events.values().forEach(DefaultHttpContent::release);
    }

    private DefaultHttpContent event(Function<V, String> shown, V known) {
        return EventStream.content("data: " + shown.apply(known) + "\n\n");
    }
}
