package dev.doyen.server.console;

import dev.doyen.elector.ElectionView;
import dev.doyen.server.websocket.HubLook;
import dev.doyen.server.websocket.HubLoop;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http.DefaultHttpContent;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Tells those who look at the console, once a second, what there is to see. While nobody looks, nothing is put together.
 *
 * <p>Threads: what is shown belongs to the hub's thread, where all of it is read and written; the other methods may be
 * called on any.
 */
public final class ConsoleFeed {

    /** How many may look at once. */
    static final int MAX_WATCHERS = 16;

    private static final int REIGNS_KEPT = 1_000;
    private static final int REFUSALS_KEPT = 100;
    private static final long EVERY_MILLIS = 1_000;
    /** Who has read nothing for so many looks is gone. */
    private static final int MISSED_LOOKS = 30;

    private final HubLoop hub;
    private final AtomicInteger watching = new AtomicInteger();

    // All below belongs to the hub's thread.
    private final Figures figures = new Figures(REFUSALS_KEPT, System::currentTimeMillis);
    private final Reigns reigns = new Reigns(REIGNS_KEPT);
    /** Each with how many looks in a row it could not be told. */
    private final Map<Channel, Integer> watchers = new LinkedHashMap<>();

    /** @param clock where the seconds are counted; nothing is done on it but that */
    public ConsoleFeed(HubLoop hub, EventLoop clock) {
        this.hub = hub;
        hub.tapInto(figures);
        clock.scheduleAtFixedRate(this::look, EVERY_MILLIS, EVERY_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** An election of the hub has another leader, or none. */
    public void electionChanged(ElectionView view) {
        hub.look(seen -> reigns.changed(view));
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
    void watch(Channel socket) {
        socket.closeFuture().addListener(closed -> {
            watching.decrementAndGet();
            hub.look(seen -> watchers.remove(socket));
        });
        hub.look(seen -> {
            watchers.put(socket, 0);
            socket.writeAndFlush(event(seen));
        });
    }

    private void look() {
        if (watching.get() > 0) {
            hub.look(this::tell);
        }
    }

    private void tell(HubLook seen) {
        DefaultHttpContent event = event(seen);
        for (var watcher : watchers.entrySet()) {
            if (watcher.getKey().isWritable()) {
                watcher.setValue(0);
                watcher.getKey().writeAndFlush(event.retainedDuplicate());
            } else if (watcher.setValue(watcher.getValue() + 1) >= MISSED_LOOKS) {
                // Each look is whole, so a missed one is made good by the next; but not for ever.
                watcher.getKey().close();
            }
        }
        event.release();
    }

    private DefaultHttpContent event(HubLook seen) {
        String json = ConsoleJson.of(System.currentTimeMillis(), seen, figures, reigns);
        return new DefaultHttpContent(Unpooled.copiedBuffer("data: " + json + "\n\n", StandardCharsets.UTF_8));
    }
}
