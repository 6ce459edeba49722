package dev.doyen.benchmarks.hub;

import dev.doyen.benchmarks.Sample;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Measures one publisher that sends few messages to many listeners, at a fixed rate.
 *
 * <p>The part measures the deliveries for each second of the server's CPU time, and the bytes of a delivery.
 */
final class RatePart implements HubPart {

    private static final int LISTENERS = 1_000;
    private static final int MESSAGES_PER_SECOND = 20;
    private static final int MESSAGES = 15 * MESSAGES_PER_SECOND;
    /**
     * The number of messages before the first measurement. These messages give a JVM the time to compile the code that
     * it uses often.
     */
    private static final int WARM_UP = 60 * MESSAGES_PER_SECOND;

    private static final String TEXT = "x".repeat(100);
    private static final long LONGEST_DELIVERY_SECONDS = 30;

    @Override
    public String name() {
        return "rate";
    }

    @Override
    public List<Measured> run(Peer peer, Workload workload) throws Exception {
        var perProcessorSecond = new ArrayList<Double>();
        var bytes = new ArrayList<Double>();
        try (var server = workload.start(peer);
                var crowd = new Crowd(server.port(), peer.dialect())) {
            Client publisher = crowd.enterWithListeners(LISTENERS, "news");
            var delivered = new AtomicLong();
            crowd.onMessage((client, text) -> delivered.incrementAndGet());
            long number = send(peer.dialect(), publisher, 0, WARM_UP);
            awaitDeliveries(delivered, number);
            server.awaitQuiet();
            for (int round = 0; round < workload.rounds(); round++) {
                double processor = server.processorSeconds();
                long received = crowd.receivedBytes();
                number = send(peer.dialect(), publisher, number, MESSAGES);
                awaitDeliveries(delivered, number);
                double deliveries = (double) MESSAGES * LISTENERS;
                perProcessorSecond.add(deliveries / (server.processorSeconds() - processor));
                bytes.add((crowd.receivedBytes() - received) / deliveries);
            }
        }
        String rate = MESSAGES_PER_SECOND + " messages per second to " + LISTENERS + " listeners: ";
        return List.of(
                new Measured(
                        rate + "deliveries per CPU second of the server",
                        "",
                        peer.label(),
                        new Sample(perProcessorSecond)),
                new Measured(
                        "bytes of a delivery of " + TEXT.length() + " bytes", "", peer.label(), new Sample(bytes)));
    }

    /** Sends messages at the fixed rate, and returns the number of the next message. */
    private static long send(Dialect dialect, Client publisher, long first, int messages) {
        long began = System.nanoTime();
        for (int i = 0; i < messages; i++) {
            long due = began + i * (TimeUnit.SECONDS.toNanos(1) / MESSAGES_PER_SECOND);
            for (long wait = due - System.nanoTime(); wait > 0; wait = due - System.nanoTime()) {
                LockSupport.parkNanos(wait);
            }
            publisher.print(dialect.publish(Dialect.Part.WORKER, "news", first + i, TEXT));
        }
        return first + messages;
    }

    private static void awaitDeliveries(AtomicLong delivered, long messages) throws InterruptedException {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(LONGEST_DELIVERY_SECONDS);
        while (delivered.get() < messages * LISTENERS) {
            if (System.nanoTime() - until > 0) {
                throw new IllegalStateException("only " + delivered.get() + " of " + messages * LISTENERS
                        + " deliveries arrived within " + LONGEST_DELIVERY_SECONDS + " s");
            }
            TimeUnit.MILLISECONDS.sleep(1);
        }
    }
}
