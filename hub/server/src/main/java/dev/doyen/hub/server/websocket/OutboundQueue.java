package dev.doyen.hub.server.websocket;

import dev.doyen.log.FaultLog;
import io.netty.buffer.ByteBuf;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Passes frames from the hub's thread to one event loop in batches.
 *
 * <p>A busy event loop takes several batches at once and flushes each socket once for all of them. The number of writes
 * per frame therefore falls as the load rises. After a write of many frames, the queue writes nothing for a short time.
 * So further messages to the same sockets share one write.
 *
 * <p>If more than {@value #MAX_UNDER_WAY} frames would be pending, counted once per receiver, the hub's thread waits
 * until the event loop takes the pending frames. While the hub's thread waits, it processes no inputs. The event loops
 * then stop reading the sockets with too many waiting inputs, so TCP slows the senders down. An event loop never waits
 * for the hub.
 *
 * <p>The hub's thread calls {@link #add} and {@link #handOver}.
 */
final class OutboundQueue {

    static final int MAX_UNDER_WAY = 65_536;

    /** The queue pauses after a write of at least this many frames, counted per receiver. */
    static final int MANY = 256;

    /** A pause ends early if at least this number of frames is pending, counted once per receiver. */
    static final int MOST_AT_REST = 8_192;

    private static final long REST_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private static final FaultLog FAULTS = new FaultLog(System.getLogger(OutboundQueue.class.getName()));

    /** The interval at which a waiting hub thread checks whether the event loop runs. The unit is milliseconds. */
    private static final long LOOK_MILLIS = 100;

    enum Then {
        GO_ON,
        REPORT_FLUSH,
        CLOSE
    }

    /**
     * A frame for some sessions of this event loop.
     *
     * @param frame the frame, with one reference that all sessions share
     */
    record Delivery(List<Session> to, ByteBuf frame, Then then) {
        /** Returns the size of the frame in bytes, counted once per session. */
        long bytes() {
            return (long) to.size() * frame.readableBytes();
        }
    }

    private final EventLoop loop;
    private final int maxUnderWay;
    private final long restNanos;
    private final OutboundBytes bytes;
    private List<Delivery> collected = new ArrayList<>();
    private int collectedSize;
    private long collectedBytes;

    private final Object lock = new Object();
    // The lock guards all fields below.
    private List<Delivery> underWay = new ArrayList<>();
    private int underWaySize;
    private long underWayBytes;
    private boolean due;
    private long restsUntilNanos = System.nanoTime();
    /** The latest delivery if it was scheduled for the end of a pause; otherwise null. */
    private @Nullable Future<?> afterRest;

    /** Creates a queue that counts its queued bytes in {@code bytes}. */
    OutboundQueue(EventLoop loop, OutboundBytes bytes) {
        this(loop, bytes, MAX_UNDER_WAY, REST_NANOS);
    }

    OutboundQueue(EventLoop loop, OutboundBytes bytes, int maxUnderWay, long restNanos) {
        this.loop = loop;
        this.bytes = bytes;
        this.maxUnderWay = maxUnderWay;
        this.restNanos = restNanos;
    }

    void add(Delivery delivery) {
        collected.add(delivery);
        collectedSize += delivery.to().size();
        collectedBytes += delivery.bytes();
        bytes.addQueued(delivery.bytes());
    }

    void handOver() {
        if (collected.isEmpty()) {
            return;
        }
        synchronized (lock) {
            awaitRoom();
            underWay.addAll(collected);
            underWaySize += collectedSize;
            underWayBytes += collectedBytes;
            if (!due || (underWaySize >= MOST_AT_REST && afterRest != null && afterRest.cancel(false))) {
                deliverSoon();
            }
        }
        collected.clear();
        collectedSize = 0;
        collectedBytes = 0;
    }

    private void awaitRoom() {
        while (underWaySize > 0 && underWaySize + collectedSize > maxUnderWay && !loop.isShuttingDown()) {
            try {
                lock.wait(LOOK_MILLIS);
            } catch (InterruptedException e) {
                // The hub's thread is interrupted only when it must end. The remaining output can then exceed the
                // limit.
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    /** Schedules the next delivery. The caller must hold the lock. */
    private void deliverSoon() {
        due = true;
        afterRest = null;
        long leftNanos = restsUntilNanos - System.nanoTime();
        try {
            if (leftNanos > 0 && underWaySize < MOST_AT_REST && !loop.isShuttingDown()) {
                afterRest = loop.schedule(this::deliver, leftNanos, TimeUnit.NANOSECONDS)
                        .addListener(rested -> letGoIfShutDown(rested.isCancelled()));
            } else {
                // Use a separate task, so that the loop reads its sockets between two deliveries.
                loop.execute(this::deliver);
            }
        } catch (RejectedExecutionException e) {
            letGo();
        } catch (Throwable e) {
            // The next handover schedules a new delivery, and this delivery also writes the pending frames.
            due = false;
            FAULTS.report("passing frames to an event loop", e);
        }
    }

    /** Releases the pending frames if the event loop's shutdown has cancelled the scheduled delivery. */
    private void letGoIfShutDown(boolean cancelled) {
        if (cancelled && loop.isShuttingDown()) {
            letGo();
        }
    }

    /** Releases all pending frames, because the event loop has shut down and closed its sockets. */
    private void letGo() {
        synchronized (lock) {
            due = false;
            take().forEach(delivery -> delivery.frame().release());
        }
    }

    /** Writes the pending deliveries. The event loop calls this method. */
    private void deliver() {
        int deliveries = 0;
        List<Delivery> taken = take();
        try {
            deliveries = Round.write(taken);
        } catch (Throwable e) {
            FAULTS.report("writing frames", e);
            // The frames are lost. Close the sockets of the receivers, so that they reconnect and detect the loss.
            taken.forEach(
                    each -> FAULTS.survives("closing a socket", () -> each.to().forEach(Session::giveUp)));
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
            bytes.addQueued(-underWayBytes);
            underWayBytes = 0;
            lock.notifyAll();
            return taken;
        }
    }
}
