package dev.doyen.benchmarks.hub;

import dev.doyen.benchmarks.Sample;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Measures one publisher with many listeners.
 *
 * <p>The part measures the deliveries per second, the deliveries for each second of the server's CPU time, and the
 * delay of the deliveries.
 */
final class FanOutPart implements HubPart {

    private static final int LISTENERS = 1_000;
    /**
     * The number of messages in flight.
     *
     * <p>The number is high enough that the server is always busy, and low enough that messages do not wait for
     * seconds.
     */
    private static final int UNDER_WAY = 8;

    private static final int MESSAGES = 1_500;
    private static final int WARM_UP = 1_000;

    @Override
    public String name() {
        return "fan-out";
    }

    @Override
    public List<Measured> run(Peer peer, Workload workload) throws Exception {
        var perProcessorSecond = new ArrayList<Double>();
        var perSecond = new ArrayList<Double>();
        var late = new ArrayList<Double>();
        try (var server = workload.start(peer);
                var crowd = new Crowd(server.port(), peer.dialect())) {
            Client publisher = crowd.enterWithListeners(LISTENERS, "news");
            var sent = new Sending(peer.dialect(), crowd, publisher);
            sent.round(WARM_UP);
            server.awaitQuiet();
            for (int round = 0; round < workload.rounds(); round++) {
                double processor = server.processorSeconds();
                long began = System.nanoTime();
                long[] delays = sent.round(MESSAGES);
                double seconds = (System.nanoTime() - began) / 1e9;
                double deliveries = (double) MESSAGES * LISTENERS;
                perSecond.add(deliveries / seconds);
                perProcessorSecond.add(deliveries / (server.processorSeconds() - processor));
                late.add(delays[(int) (delays.length * 0.99)] / 1e6);
            }
        }
        return List.of(
                new Measured(
                        "deliveries per CPU second of the server", "", peer.label(), new Sample(perProcessorSecond)),
                new Measured("deliveries per second", "", peer.label(), new Sample(perSecond)),
                new Measured("delivery time, 99th percentile", "ms", peer.label(), new Sample(late)));
    }

    /**
     * A publisher with a fixed number of messages in flight.
     *
     * <p>The publisher sends the next message after as many further deliveries as there are listeners.
     */
    private static final class Sending {
        private final Dialect dialect;
        private final Client publisher;
        private final Semaphore room = new Semaphore(UNDER_WAY);
        private final AtomicLong delivered = new AtomicLong();
        private volatile long[] delays = new long[0];
        private long number;

        Sending(Dialect dialect, Crowd crowd, Client publisher) {
            this.dialect = dialect;
            this.publisher = publisher;
            crowd.onMessage((client, text) -> {
                long[] all = delays;
                long at = delivered.getAndIncrement();
                all[(int) at] = System.nanoTime() - Long.parseLong(text);
                if ((at + 1) % LISTENERS == 0) {
                    room.release();
                }
            });
        }

        /** Sends the messages and returns the delay of each delivery, in nanoseconds, in ascending order. */
        long[] round(int messages) throws InterruptedException {
            delivered.set(0);
            delays = new long[messages * LISTENERS];
            for (int i = 0; i < messages; i++) {
                acquire();
                String now = Long.toString(System.nanoTime());
                publisher.print(dialect.publish(Dialect.Part.WORKER, "news", number++, now));
            }
            for (int i = 0; i < UNDER_WAY; i++) {
                acquire();
            }
            room.release(UNDER_WAY);
            long[] sorted = delays;
            Arrays.sort(sorted);
            return sorted;
        }

        private void acquire() throws InterruptedException {
            if (!room.tryAcquire(30, TimeUnit.SECONDS)) {
                throw new IllegalStateException("only " + delivered.get() + " deliveries arrived within 30 s");
            }
        }
    }
}
