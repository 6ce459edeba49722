package dev.doyen.stores.quorum;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The outbound queue of one connection. The queue rejects frames beyond a limit. Threads: any may add frames; only one
 * thread removes frames.
 */
final class SendQueue {

    private final int maxFrames;
    private final int maxBytes;
    private final Deque<byte[]> frames = new ArrayDeque<>();
    private long bytes;

    SendQueue(WireLimits limits) {
        this.maxFrames = limits.queuedFrames();
        this.maxBytes = limits.queuedBytes();
    }

    /** Adds a frame, and returns false if the queue has no room. */
    synchronized boolean offer(byte[] frame) {
        if (frames.size() >= maxFrames || bytes + frame.length > maxBytes) {
            return false;
        }
        frames.add(frame);
        bytes += frame.length;
        notifyAll();
        return true;
    }

    /** Removes and returns the next frame; null if the queue is empty. */
    synchronized byte @Nullable [] poll() {
        byte[] frame = frames.poll();
        if (frame != null) {
            bytes -= frame.length;
        }
        return frame;
    }

    /**
     * Waits for a frame, at most for {@code atMost}. The method also returns if {@code isEnded} is true. When
     * {@code isEnded} becomes true during the wait, another thread must call {@link #wake}.
     */
    synchronized void await(Duration atMost, BooleanSupplier isEnded) throws InterruptedException {
        long start = System.nanoTime();
        while (frames.isEmpty() && !isEnded.getAsBoolean()) {
            long left = atMost.toNanos() - (System.nanoTime() - start);
            if (left <= 0) {
                return;
            }
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
    }

    synchronized boolean isEmpty() {
        return frames.isEmpty();
    }

    synchronized void wake() {
        notifyAll();
    }

    synchronized void clear() {
        frames.clear();
        bytes = 0;
    }
}
