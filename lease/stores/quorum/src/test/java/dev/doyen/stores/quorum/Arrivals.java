package dev.doyen.stores.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Collects the frames and the lost connections that a wire reports. Threads: any. */
final class Arrivals implements Wire.Receiver {

    /** The time in seconds after which a wait for an arrival fails. */
    private static final long PATIENCE_SECONDS = 60;

    /** A frame and the peer that sent it. */
    static final class Arrival {
        private final Wire.Peer from;
        private final byte[] frame;

        private Arrival(Wire.Peer from, byte[] frame) {
            this.from = from;
            this.frame = frame;
        }

        Wire.Peer from() {
            return from;
        }

        byte[] frame() {
            return frame;
        }

        String text() {
            return new String(frame, StandardCharsets.UTF_8);
        }
    }

    private final BlockingQueue<Arrival> frames = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> lost = new LinkedBlockingQueue<>();

    @Override
    public void receive(Wire.Peer from, byte[] frame) {
        frames.add(new Arrival(from, frame));
    }

    @Override
    public void lost(String address) {
        lost.add(address);
    }

    /** Waits for the next frame. */
    Arrival next() throws InterruptedException {
        return taken(frames, "a frame");
    }

    /** Waits for the next broken connection, and returns its address. */
    String nextLost() throws InterruptedException {
        return taken(lost, "the end of a connection");
    }

    /** Returns the number of frames that {@link #next} has not returned yet. */
    int waiting() {
        return frames.size();
    }

    /** Returns the number of broken connections that {@link #nextLost} has not returned yet. */
    int waitingLost() {
        return lost.size();
    }

    static <T> T taken(BlockingQueue<T> queue, String what) throws InterruptedException {
        T element = queue.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
        assertThat(element).as(what).isNotNull();
        return element;
    }
}
