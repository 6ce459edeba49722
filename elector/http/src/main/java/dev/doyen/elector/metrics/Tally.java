package dev.doyen.elector.metrics;

import dev.doyen.event.LossCause;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The counters of a candidate and its election. The record is immutable.
 *
 * @param won the number of times that the candidate acquired the leadership
 * @param lost the number of times that the candidate lost the leadership, by cause
 * @param transitions the number of changes of the reported leader, including changes to no leader
 * @param leaderlessNanos the time for which no leader was reported, up to {@code asOf}, in nanoseconds
 * @param leaderless true if no leader is reported now
 * @param asOf the time of the latest update of {@code leaderlessNanos}, as {@link System#nanoTime}
 * @param writes the response times of the store for writes; nearly all writes are a leader's renewals
 * @param failures the number of calls to the store without a usable answer
 */
public record Tally(
        long won,
        Map<LossCause, Long> lost,
        long transitions,
        long leaderlessNanos,
        boolean leaderless,
        long asOf,
        Latencies writes,
        long failures) {

    public Tally {
        lost = Collections.unmodifiableMap(new EnumMap<>(lost));
    }

    public static Tally startedAt(long now) {
        var none = new EnumMap<LossCause, Long>(LossCause.class);
        // All counters start at zero, because Prometheus computes no increase for a counter whose first value is 1.
        for (var cause : LossCause.values()) {
            none.put(cause, 0L);
        }
        return new Tally(0, none, 0, 0, true, now, Latencies.NONE, 0);
    }

    public Tally elected() {
        return new Tally(won + 1, lost, transitions, leaderlessNanos, leaderless, asOf, writes, failures);
    }

    public Tally lost(LossCause cause) {
        var more = new EnumMap<>(lost);
        more.merge(cause, 1L, Long::sum);
        return new Tally(won, more, transitions, leaderlessNanos, leaderless, asOf, writes, failures);
    }

    /** Returns the counters after the reported leader has changed, possibly to no leader. */
    public Tally named(boolean somebody, long now) {
        var passed = at(now);
        return new Tally(won, lost, transitions + 1, passed.leaderlessNanos, !somebody, now, writes, failures);
    }

    public Tally wrote(long nanos) {
        return new Tally(won, lost, transitions, leaderlessNanos, leaderless, asOf, writes.with(nanos), failures);
    }

    public Tally failed() {
        return new Tally(won, lost, transitions, leaderlessNanos, leaderless, asOf, writes, failures + 1);
    }

    /** Returns the counters with the leaderless time up to {@code now}. */
    public Tally at(long now) {
        long more = leaderless ? Math.max(0, now - asOf) : 0;
        return new Tally(won, lost, transitions, leaderlessNanos + more, leaderless, now, writes, failures);
    }

    /**
     * A cumulative histogram, as Prometheus defines it.
     *
     * @param within for each upper bound of the histogram, the number of requests whose response time was within the
     *     bound
     */
    public record Latencies(long count, long sumNanos, List<Long> within) {

        public static final List<Double> BOUNDS_SECONDS = List.of(0.001, 0.005, 0.025, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0);

        public static final Latencies NONE = new Latencies(0, 0, Collections.nCopies(BOUNDS_SECONDS.size(), 0L));

        public Latencies {
            within = List.copyOf(within);
        }

        /** Returns the histogram with one more response time. */
        public Latencies with(long nanos) {
            var counts = new ArrayList<Long>();
            for (int at = 0; at < within.size(); at++) {
                counts.add(within.get(at) + (nanos <= BOUNDS_SECONDS.get(at) * 1e9 ? 1 : 0));
            }
            return new Latencies(count + 1, sumNanos + nanos, counts);
        }
    }
}
