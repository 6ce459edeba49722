package dev.doyen.hub.server.websocket;

import dev.doyen.log.FaultLog;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Calls the sessions of one event loop at a fixed interval, with a single timer.
 *
 * <p>The sessions are spread over the slots of a wheel. Each tick calls the sessions of one slot. So with an interval
 * of 250 ms or more, an event loop wakes up at most four times per second for any number of idle sessions. The event
 * loop has a similar amount of work at each tick.
 *
 * <p>Only the event loop may call the methods. The timer runs only while the wheel contains sessions.
 */
final class PulseWheel {

    private static final long MAX_TICK_MILLIS = 250;

    private static final FaultLog FAULTS = new FaultLog(System.getLogger(PulseWheel.class.getName()));

    private final EventLoop loop;
    private final long tickMillis;
    private final List<Set<Runnable>> slots = new ArrayList<>();
    private int next;
    private int size;
    private @Nullable Future<?> ticks;

    /**
     * Creates an empty wheel.
     *
     * @param intervalMillis the interval between two calls of a session, rounded down to a whole number of ticks
     */
    PulseWheel(EventLoop loop, long intervalMillis) {
        this.loop = loop;
        this.tickMillis = Math.max(1, Math.min(MAX_TICK_MILLIS, intervalMillis));
        for (long slot = 0; slot < Math.max(1, intervalMillis / tickMillis); slot++) {
            slots.add(new LinkedHashSet<>());
        }
    }

    /**
     * Adds a session. The first call follows after about one interval.
     *
     * @param pulse the task to call; the caller must add each task only once
     * @param closed the future that completes at the end of the session; the wheel then removes the task
     */
    void add(Runnable pulse, Future<?> closed) {
        int slot = (next + slots.size() - 1) % slots.size();
        if (!slots.get(slot).add(pulse)) {
            return;
        }
        size++;
        if (ticks == null) {
            ticks = loop.scheduleAtFixedRate(this::tick, tickMillis, tickMillis, TimeUnit.MILLISECONDS);
        }
        closed.addListener(end -> remove(slot, pulse));
    }

    private void remove(int slot, Runnable pulse) {
        if (slots.get(slot).remove(pulse) && --size == 0 && ticks != null) {
            ticks.cancel(false);
            ticks = null;
        }
    }

    /**
     * Calls the sessions of the next slot. The method throws no exception, because a scheduler does not repeat a task
     * that has failed.
     */
    private void tick() {
        // A call can close its session, which removes the session from the slot.
        List<Runnable> due = List.copyOf(slots.get(next));
        next = (next + 1) % slots.size();
        due.forEach(pulse -> FAULTS.survives("the ping of a session", pulse));
    }
}
