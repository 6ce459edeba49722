package dev.doyen.server.console;

import dev.doyen.elector.ElectionView;
import dev.doyen.server.claims.Claims;
import dev.doyen.server.http.EventStream;
import dev.doyen.server.websocket.HubLook;
import dev.doyen.server.websocket.HubLoop;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http.DefaultHttpContent;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

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
    private final ConsoleJson json;
    private final Map<Channel, Watcher> watchers = new LinkedHashMap<>();

    private static final class Watcher {
        private final Predicate<String> mayOrder;
        /** How many looks in a row it could not be told. */
        private int missed;

        Watcher(Predicate<String> mayOrder) {
            this.mayOrder = mayOrder;
        }
    }

    /** @param clock where the seconds are counted; nothing is done on it but that */
    public ConsoleFeed(HubLoop hub, Claims claims, EventLoop clock) {
        this.hub = hub;
        this.json = new ConsoleJson(figures, reigns, claims);
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

    /**
     * From now on the socket is told, an event a look, the first at once.
     *
     * @param mayOrder about which channels' elections it may give orders; asked on the hub's thread. What it is told is
     *     put together once for all who have the same one
     */
    void watch(Channel socket, Predicate<String> mayOrder) {
        socket.closeFuture().addListener(closed -> {
            watching.decrementAndGet();
            hub.look(seen -> watchers.remove(socket));
        });
        hub.look(seen -> {
            watchers.put(socket, new Watcher(mayOrder));
            socket.writeAndFlush(event(seen, mayOrder));
        });
    }

    private void look() {
        if (watching.get() > 0) {
            hub.look(this::tell);
        }
    }

    private void tell(HubLook seen) {
        var events = new HashMap<Predicate<String>, DefaultHttpContent>();
        watchers.forEach((socket, watcher) -> {
            if (socket.isWritable()) {
                watcher.missed = 0;
                var event = events.computeIfAbsent(watcher.mayOrder, mayOrder -> event(seen, mayOrder));
                socket.writeAndFlush(event.retainedDuplicate());
            } else if (++watcher.missed > MISSED_LOOKS) {
                // Each look is whole, so a missed one is made good by the next; but not for ever.
                socket.close();
            }
        });
        events.values().forEach(DefaultHttpContent::release);
    }

    private DefaultHttpContent event(HubLook seen, Predicate<String> mayOrder) {
        return EventStream.content("data: " + json.of(System.currentTimeMillis(), seen, mayOrder) + "\n\n");
    }
}
