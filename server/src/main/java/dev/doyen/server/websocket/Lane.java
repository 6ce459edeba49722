package dev.doyen.server.websocket;

import io.netty.buffer.ByteBuf;
import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;

/**
 * The way from the hub's thread to one event loop. A loop that is behind finds several batches at once, and flushes each
 * socket once for all of them: the busier it is, the fewer writes it makes.
 *
 * <p>At most {@value #MAX_UNDER_WAY} deliveries are under way; the hub waits for a loop that has so many to do. It then
 * takes no inputs, so its clients are not read, and those who send too much are slowed down instead of heaping up what
 * they send. A loop never waits for the hub.
 *
 * <p>Threads: {@link #add} and {@link #handOver} on the hub's.
 */
final class Lane {

    static final int MAX_UNDER_WAY = 65_536;

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
    private List<Delivery> collected = new ArrayList<>();
    private int collectedSize;

    private final Object lock = new Object();
    // All below is guarded by the lock.
    private List<Delivery> underWay = new ArrayList<>();
    private int underWaySize;
    private boolean due;

    Lane(EventLoop loop) {
        this(loop, MAX_UNDER_WAY);
    }

    Lane(EventLoop loop, int maxUnderWay) {
        this.loop = loop;
        this.maxUnderWay = maxUnderWay;
    }

    void add(Delivery delivery) {
        collected.add(delivery);
        collectedSize += delivery.to().size();
    }

    void handOver() {
        if (collected.isEmpty()) {
            return;
        }
        boolean start;
        synchronized (lock) {
            awaitRoom();
            underWay.addAll(collected);
            underWaySize += collectedSize;
            start = !due;
            due = true;
        }
        collected.clear();
        collectedSize = 0;
        if (start) {
            deliverSoon();
        }
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

    private void deliverSoon() {
        try {
            loop.execute(this::deliver);
        } catch (RejectedExecutionException e) {
            // The loop is shut down, and with it every socket of these.
            take().forEach(delivery -> delivery.frame().release());
        }
    }

    /** On the event loop. */
    private void deliver() {
        var touched = new ArrayList<Session>();
        for (var delivery : take()) {
            if (delivery.then() == Then.CLOSE) {
                delivery.to().get(0).end(delivery.frame());
                continue;
            }
            for (var session : delivery.to()) {
                if (session.write(delivery.frame().retainedDuplicate())) {
                    touched.add(session);
                }
            }
            delivery.frame().release();
        }
        touched.forEach(Session::flush);
        synchronized (lock) {
            due = !underWay.isEmpty();
            if (!due) {
                return;
            }
        }
        // As a task of its own, so that what has arrived meanwhile is read in between.
        deliverSoon();
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
