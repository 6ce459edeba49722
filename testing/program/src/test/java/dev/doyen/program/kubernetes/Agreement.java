package dev.doyen.program.kubernetes;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Continuously queries all competitors for the leader and compares their answers.
 *
 * <p>For each pair of competitors, the class queries the first competitor both before and after the second. So a
 * handover between two queries does not count as an overlap.
 */
final class Agreement implements AutoCloseable {

    private final List<Competitor> competitors = new CopyOnWriteArrayList<>();
    private final List<String> overlaps = new CopyOnWriteArrayList<>();
    private final Map<String, Long> disagreeingSince = new HashMap<>();
    private final AtomicLong longestNanos = new AtomicLong();
    private final AtomicLong comparisons = new AtomicLong();
    private final Thread poller = new Thread(this::run, "agreement");
    private volatile boolean closed;

    Agreement() {
        poller.setDaemon(true);
        poller.start();
    }

    <T extends Competitor> T add(T competitor) {
        competitors.add(competitor);
        return competitor;
    }

    void remove(Competitor competitor) {
        competitors.remove(competitor);
    }

    List<Competitor> competitors() {
        return List.copyOf(competitors);
    }

    /** Returns the pairs of competitors that both named themselves as the leader at the same time. */
    List<String> overlaps() {
        return List.copyOf(overlaps);
    }

    /** Returns the longest time during which two competitors named different leaders. A short time is expected. */
    Duration longestDisagreement() {
        return Duration.ofNanos(longestNanos.get());
    }

    long comparisons() {
        return comparisons.get();
    }

    /**
     * Returns the leader that all competitors name. The result is empty if they disagree, or if no competitor has this
     * name.
     */
    Optional<String> leader() {
        var names = competitors.stream().map(Competitor::named).distinct().toList();
        if (names.size() != 1 || names.get(0).isEmpty()) {
            return Optional.empty();
        }
        var name = names.get(0).get();
        return competitors.stream().anyMatch(each -> each.pod().equals(name)) ? Optional.of(name) : Optional.empty();
    }

    @Override
    public void close() throws InterruptedException {
        closed = true;
        poller.join();
    }

    private void run() {
        while (!closed) {
            var all = new ArrayList<>(competitors);
            for (int one = 0; one < all.size(); one++) {
                for (int other = one + 1; other < all.size(); other++) {
                    compare(all.get(one), all.get(other));
                }
            }
            comparisons.incrementAndGet();
            LockSupport.parkNanos(1_000_000);
        }
    }

    private void compare(Competitor one, Competitor other) {
        var before = one.named();
        var between = other.named();
        var after = one.named();
        var pair = one.pod() + " and " + other.pod();
        boolean steady = before.equals(after) && isSomebody(before) && isSomebody(between);
        if (!steady || before.equals(between)) {
            disagreeingSince.remove(pair);
            return;
        }
        if (before.equals(Optional.of(one.pod())) && between.equals(Optional.of(other.pod()))) {
            overlaps.add(pair);
        }
        long now = System.nanoTime();
        long since =
                Optional.ofNullable(disagreeingSince.putIfAbsent(pair, now)).orElse(now);
        longestNanos.accumulateAndGet(now - since, Math::max);
    }

    private static boolean isSomebody(Optional<String> named) {
        return named.isPresent() && !named.get().isEmpty();
    }
}
