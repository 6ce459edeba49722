package dev.doyen.server.console;

import dev.doyen.server.http.EventStream;
import dev.doyen.server.http.HttpReply;
import dev.doyen.store.FaultLog;
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
 * Tells those who look at a console what there is to see, once a second unless another time is given. While nobody looks, nothing is put together.
 *
 * <p>Threads: the watchers belong to the {@linkplain Scene scene}'s thread; the methods may be called on any.
 *
 * @param <V> what is known of a watcher; what is shown is put together once for all who are equal in it
 */
public final class ConsoleFeed<V> {

    /** How many may look at once. */
    static final int MAX_WATCHERS = 16;

    private static final Duration EVERY = Duration.ofSeconds(1);

    private static final Map<String, String> HEADERS = Map.of(
            "Content-Type", "text/event-stream",
            "Cache-Control", "no-cache",
            "X-Accel-Buffering", "no",
            "X-Content-Type-Options", "nosniff");

    /** Who has read nothing for so many looks is gone. */
    private static final int MISSED_LOOKS = 30;

    private final FaultLog faults = new FaultLog(System.getLogger("dev.doyen"));
    private final Scene<V> scene;
    private final AtomicInteger watching = new AtomicInteger();

    /** Belongs to the scene's thread. */
    private final Map<Channel, Watcher<V>> watchers = new LinkedHashMap<>();

    private static final class Watcher<V> {
        private final V known;
        /** How many looks in a row it could not be told. */
        private int missed;

        Watcher(V known) {
            this.known = known;
        }
    }

    /** @param clock where the seconds are counted; nothing is done on it but that */
    public ConsoleFeed(Scene<V> scene, EventLoop clock) {
        this(scene, clock, EVERY);
    }

    /** @param every from one event to the next */
    public ConsoleFeed(Scene<V> scene, EventLoop clock, Duration every) {
        this.scene = scene;
        // A scheduler never repeats a task that has thrown.
        clock.scheduleAtFixedRate(
                () -> faults.survives("the console", this::look),
                every.toMillis(),
                every.toMillis(),
                TimeUnit.MILLISECONDS);
    }

    /** Answers with a stream of what there is from now on, if there are not too many who look. */
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

    /** Whether one more may look; if so, {@link #watch} is owed. */
    boolean admits() {
        if (watching.incrementAndGet() > MAX_WATCHERS) {
            watching.decrementAndGet();
            return false;
        }
        return true;
    }

    /** From now on the socket is told, an event a look, the first at once. */
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
                // Each look is whole, so a missed one is made good by the next; but not for ever.
                socket.close();
            }
        });
        events.values().forEach(DefaultHttpContent::release);
    }

    private DefaultHttpContent event(Function<V, String> shown, V known) {
        return EventStream.content("data: " + shown.apply(known) + "\n\n");
    }
}
