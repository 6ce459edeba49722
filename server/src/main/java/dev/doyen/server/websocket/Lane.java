package dev.doyen.server.websocket;

import dev.doyen.store.FaultLog;
import io.netty.buffer.ByteBuf;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The way from the hub's thread to one event loop. A loop that is behind finds several batches at once, and flushes each
 * socket once for all of them: the busier it is, the fewer writes it makes. And one that has just written to many rests a
 * moment before it writes again, so that messages which come one after the other to many cost them one write together.
 *
 * <p>At most {@value #MAX_UNDER_WAY} deliveries are under way; the hub waits for a loop that has so many to do. It then
 * takes no inputs, so its clients are not read, and those who send too much are slowed down instead of heaping up what
 * they send. A loop never waits for the hub.
 *
 * <p>Threads: {@link #add} and {@link #handOver} on the hub's.
 */
final class Lane {

    static final int MAX_UNDER_WAY = 65_536;

    /** How many deliveries at once are followed by a rest. */
    static final int MANY = 256;

    /** How many of them end a rest. */
    static final int MOST_AT_REST = 8_192;

    private static final long REST_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private static final FaultLog FAULTS = new FaultLog(System.getLogger(Lane.class.getName()));

    /** How often a hub that waits looks whether the loop has been shut down. */
    private static final long LOOK_MILLIS = 100;

    enum Then {
        GO_ON,
        CLOSE
    }

    /**
     * One frame to some sessions of this loop.
     *
     * @param frame one reference, for all of them
     */
    record Delivery(List<Session> to, ByteBuf frame, Then then) {}

    private final EventLoop loop;
    private final int maxUnderWay;
    private final long restNanos;
    private List<Delivery> collected = new ArrayList<>();
    private int collectedSize;

    private final Object lock = new Object();
    // All below is guarded by the lock.
    private List<Delivery> underWay = new ArrayList<>();
    private int underWaySize;
    private boolean due;
    private long restsUntilNanos = System.nanoTime();
    /** The delivery that is due, if the loop rests until then. */
    private @Nullable Future<?> afterRest;

    Lane(EventLoop loop) {
        this(loop, MAX_UNDER_WAY, REST_NANOS);
    }

    Lane(EventLoop loop, int maxUnderWay, long restNanos) {
        this.loop = loop;
        this.maxUnderWay = maxUnderWay;
        this.restNanos = restNanos;
    }

    void add(Delivery delivery) {
        collected.add(delivery);
        collectedSize += delivery.to().size();
    }

    void handOver() {
        if (collected.isEmpty()) {
            return;
        }
        synchronized (lock) {
            awaitRoom();
            underWay.addAll(collected);
            underWaySize += collectedSize;
            if (!due || (underWaySize >= MOST_AT_REST && afterRest != null && afterRest.cancel(false))) {
                deliverSoon();
            }
        }
        collected.clear();
        collectedSize = 0;
    }

    private void awaitRoom() {
        while (underWaySize > 0 && underWaySize + collectedSize > maxUnderWay && !loop.isShuttingDown()) {
            try {
                lock.wait(LOOK_MILLIS);
            } catch (InterruptedException e) {
                // Nobody interrupts the hub's thread but to end it, and then what is left may go unbounded.
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    /** With the lock. */
    private void deliverSoon() {
        due = true;
        afterRest = null;
        long leftNanos = restsUntilNanos - System.nanoTime();
        try {
            if (leftNanos > 0 && underWaySize < MOST_AT_REST && !loop.isShuttingDown()) {
                afterRest = loop.schedule(this::deliver, leftNanos, TimeUnit.NANOSECONDS)
                        .addListener(rested -> letGoIfShutDown(rested.isCancelled()));
            } else {
                // As a task of its own, so that what has arrived meanwhile is read in between.
                loop.execute(this::deliver);
            }
        } catch (RejectedExecutionException e) {
            letGo();
        } catch (Throwable e) {
            // The next delivery takes along the ones that wait.
            due = false;
            FAULTS.report("the handing over to an event loop", e);
        }
    }

    /** A loop that is shut down cancels what it was to do later. */
    private void letGoIfShutDown(boolean cancelled) {
        if (cancelled && loop.isShuttingDown()) {
            letGo();
        }
    }

    /** The loop is shut down, and with it every socket of these. */
    private void letGo() {
        synchronized (lock) {
            due = false;
            take().forEach(delivery -> delivery.frame().release());
        }
    }

    /** On the event loop. */
    private void deliver() {
        int deliveries = 0;
        List<Delivery> taken = take();
        try {
            deliveries = Round.write(taken);
        } catch (Throwable e) {
            FAULTS.report("the writing of what is sent", e);
            // Some messages are lost. Their receivers reconnect, because they must not miss a message unnoticed.
            taken.forEach(each ->
                    FAULTS.survives("the end of a socket", () -> each.to().forEach(Session::giveUp)));
        }
        synchronized (lock) {
            restsUntilNanos = System.nanoTime() + (deliveries >= MANY ? restNanos : 0);
            due = false;
            if (!underWay.isEmpty()) {
                deliverSoon();
            }
        }
    }

    private List<Delivery> take() {
        synchronized (lock) {
            var taken = underWay;
            underWay = new ArrayList<>();
            underWaySize = 0;
            lock.notifyAll();
            return taken;
        }
    }
}
