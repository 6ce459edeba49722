package dev.doyen.server.sidecar;

import dev.doyen.event.LossCause;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * What a sidecar has counted. Immutable.
 *
 * @param won how often the own candidate was elected
 * @param lost how often it led no more, by cause
 * @param transitions how often another leader was named than before, nobody included
 * @param leaderlessNanos for how long nobody was named, up to {@code asOf}
 * @param writes how long the store took to answer writes, of which a leader's renewals are nearly all
 * @param failures calls to the store without a usable answer
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
        // All from the start, at zero: a counter that first appears with 1 shows no increase.
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

    /** Another is named now, or nobody. */
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

    /** The same, with the time up to now. */
    public Tally at(long now) {
        long more = leaderless ? Math.max(0, now - asOf) : 0;
        return new Tally(won, lost, transitions, leaderlessNanos + more, leaderless, now, writes, failures);
    }

    /**
     * A cumulative histogram, as Prometheus has it.
     *
     * @param within how many took no longer than each of the bounds
     */
    public record Latencies(long count, long sumNanos, List<Long> within) {

        static final List<Double> BOUNDS_SECONDS = List.of(0.001, 0.005, 0.025, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0);

        static final Latencies NONE = new Latencies(0, 0, Collections.nCopies(BOUNDS_SECONDS.size(), 0L));

        public Latencies {
            within = List.copyOf(within);
        }

        Latencies with(long nanos) {
            var counts = new ArrayList<Long>();
            for (int at = 0; at < within.size(); at++) {
                counts.add(within.get(at) + (nanos <= BOUNDS_SECONDS.get(at) * 1e9 ? 1 : 0));
            }
            return new Latencies(count + 1, sumNanos + nanos, counts);
        }
    }
}
