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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * Sends the content of a console to its viewers, once a second by default.
 *
 * <p>Without a viewer, no content is built.
 *
 * <p>Threads: the {@linkplain ConsoleContent scene}'s thread owns the viewers; the methods may be called on any thread.
 *
 * @param <V> what is known about a viewer; the content is built once for all equal values
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

    /** A viewer that has missed this many events in a row is disconnected. */
    private static final int MISSED_LOOKS = 30;

    private final FaultLog faults = new FaultLog(System.getLogger("dev.doyen"));
    private final ConsoleContent<V> scene;
    private final AtomicInteger watching = new AtomicInteger();

    /** Owned by the thread of the {@link ConsoleContent}. */
    private final Map<Channel, Watcher<V>> watchers = new LinkedHashMap<>();

    private static final class Watcher<V> {
        private final V known;
        /** How many events in a row the socket could not take. */
        private int missed;

        Watcher(V known) {
            this.known = known;
        }
    }

    /**
     * Creates a feed with one event per second.
     *
     * @param clock the event loop of the timer; it does nothing else for the feed
     */
    public ConsoleFeed(ConsoleContent<V> scene, EventLoop clock) {
        this(scene, clock, EVERY);
    }

    /**
     * Creates a feed.
     *
     * @param every the time between two events
     */
    public ConsoleFeed(ConsoleContent<V> scene, EventLoop clock, Duration every) {
        this.scene = scene;
        // A scheduler does not repeat a task after an exception.
        clock.scheduleAtFixedRate(
                () -> faults.survives("the console", this::look),
                every.toMillis(),
                every.toMillis(),
                TimeUnit.MILLISECONDS);
    }

    /** Answers with an event stream, or with 503 if there are too many viewers. */
    public void stream(ChannelHandlerContext ctx, FullHttpRequest request, V known) {
        if (EventStream.answersHead(ctx, request, HEADERS)) {
            return;
        }
        if (!admits()) {
            HttpReply.sentence(
                            503,
                            "There are already " + MAX_WATCHERS + " who look at the console; close one of them first.")
                    .with("Retry-After", "5")
                    .send(ctx, request);
            return;
        }
        EventStream.open(ctx, request, HEADERS);
        ctx.flush();
        watch(ctx.channel(), known);
    }

    /** Reserves a place for one more viewer; after true, call {@link #watch}. */
    boolean admits() {
        if (watching.incrementAndGet() > MAX_WATCHERS) {
            watching.decrementAndGet();
            return false;
        }
        return true;
    }

    /** Sends events to this socket from now on, the first at once. */
    void watch(Channel socket, V known) {
        socket.closeFuture().addListener(closed -> {
            watching.decrementAndGet();
            scene.look(shown -> watchers.remove(socket));
        });
        scene.look(shown -> {
            watchers.put(socket, new Watcher<>(known));
            socket.writeAndFlush(event(shown, known));
        });
    }

    private void look() {
        if (watching.get() > 0) {
            scene.look(this::tell);
        }
    }

    private void tell(Function<V, String> shown) {
        var events = new HashMap<V, DefaultHttpContent>();
        watchers.forEach((socket, watcher) -> {
            if (socket.isWritable()) {
                watcher.missed = 0;
                var event = events.computeIfAbsent(watcher.known, known -> event(shown, known));
                socket.writeAndFlush(event.retainedDuplicate());
            } else if (++watcher.missed > MISSED_LOOKS) {
                // Each event is complete, so the next one makes up for a missed one.
                socket.close();
            }
        });
        events.values().forEach(DefaultHttpContent::release);
    }

    private DefaultHttpContent event(Function<V, String> shown, V known) {
        return EventStream.content("data: " + shown.apply(known) + "\n\n");
    }
}
