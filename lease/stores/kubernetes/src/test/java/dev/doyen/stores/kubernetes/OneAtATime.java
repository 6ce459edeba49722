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
    private final AtomicLong checks = new AtomicLong();
    private final Thread thread = new Thread(this::check, "doyen-test-one-at-a-time");
    private volatile boolean closed;

    OneAtATime(Map<String, BooleanSupplier> claims) {
        this.claims = Map.copyOf(claims);
        thread.setDaemon(true);
        thread.start();
    }

    List<String> overlaps() {
        return List.copyOf(overlaps);
    }

    long checks() {
        return checks.get();
    }

    @Override
    public void close() {
        closed = true;
    }

    private void check() {
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
            checks.incrementAndGet();
            Thread.onSpinWait();
            java.util.concurrent.locks.LockSupport.parkNanos(500_000);
        }
    }
}
