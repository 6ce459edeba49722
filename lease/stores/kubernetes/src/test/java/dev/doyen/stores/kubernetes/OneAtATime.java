package dev.doyen.stores.kubernetes;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

/**
 * Checks continuously that no two candidates claim to lead at the same time.
 *
 * <p>The check asks the first candidate, then the second candidate, and then the first candidate again. So a handover
 * between two questions does not count as an overlap.
 */
final class OneAtATime implements AutoCloseable {

    private final Map<String, BooleanSupplier> claims;
    private final ConcurrentLinkedQueue<String> overlaps = new ConcurrentLinkedQueue<>();
    private final AtomicLong looks = new AtomicLong();
    private final Thread looking = new Thread(this::look, "doyen-test-one-at-a-time");
    private volatile boolean closed;

    OneAtATime(Map<String, BooleanSupplier> claims) {
        this.claims = Map.copyOf(claims);
        looking.setDaemon(true);
        looking.start();
    }

    List<String> overlaps() {
        return List.copyOf(overlaps);
    }

    long looks() {
        return looks.get();
    }

    @Override
    public void close() {
        closed = true;
    }

    private void look() {
        while (!closed) {
            claims.forEach((one, leads) -> claims.forEach((other, alsoLeads) -> {
                if (!one.equals(other)
                        && leads.getAsBoolean()
                        && alsoLeads.getAsBoolean()
                        && leads.getAsBoolean()
                        && overlaps.size() < 100) {
                    overlaps.add(one + " and " + other);
                }
            }));
            looks.incrementAndGet();
            Thread.onSpinWait();
            java.util.concurrent.locks.LockSupport.parkNanos(500_000);
        }
    }
}
