package dev.doyen.elector.metrics;

import dev.doyen.event.LossCause;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/**
 * The counters of one election, as this process sees the election. Immutable.
 *
 * @param elected the number of times that a candidate of this process acquired the leadership
 * @param lost the number of times that a candidate of this process lost the leadership, by cause
 * @param jeopardies the number of missed renewals of a leader that still led
 * @param overlaps the number of terms whose work still ran when another leader was observed
 * @param overrun the number of tasks that still run although their term has ended
 * @param leaderlessNanos the time for which no leader was known, up to {@code asOf}, in nanoseconds
 * @param leaderless true if no leader is known now
 * @param asOf the time of the latest update of {@code leaderlessNanos}, as {@link System#nanoTime}
 */
public record Tally(
        long elected,
        Map<LossCause, Long> lost,
        long jeopardies,
        long overlaps,
        long overrun,
        long leaderlessNanos,
        boolean leaderless,
        long asOf) {

    public Tally {
        lost = Collections.unmodifiableMap(new EnumMap<>(lost));
    }

    public static Tally startedAt(long now) {
        var none = new EnumMap<LossCause, Long>(LossCause.class);
        // All counters start at zero, because Prometheus computes no increase for a counter whose first value is 1.
        for (var cause : LossCause.values()) {
            none.put(cause, 0L);
        }
        return new Tally(0, none, 0, 0, 0, 0, true, now);
    }

    /** Returns the counters after a candidate of this process has acquired the leadership. */
    public Tally withElection() {
        return new Tally(elected + 1, lost, jeopardies, overlaps, overrun, leaderlessNanos, leaderless, asOf);
    }

    /** Returns the counters after a candidate of this process has lost the leadership. */
    public Tally withLoss(LossCause cause) {
        var more = new EnumMap<LossCause, Long>(lost);
        more.merge(cause, 1L, Long::sum);
        return new Tally(elected, more, jeopardies, overlaps, overrun, leaderlessNanos, leaderless, asOf);
    }

    /** Returns the counters with this number of tasks that still run although their term has ended. */
    public Tally withOverrun(long tasks) {
        return new Tally(elected, lost, jeopardies, overlaps, tasks, leaderlessNanos, leaderless, asOf);
    }

    public Tally withJeopardy() {
        return new Tally(elected, lost, jeopardies + 1, overlaps, overrun, leaderlessNanos, leaderless, asOf);
    }

    public Tally withOverlap() {
        return new Tally(elected, lost, jeopardies, overlaps + 1, overrun, leaderlessNanos, leaderless, asOf);
    }

    /** Returns the counters after the known leader has changed, possibly to no leader. */
    public Tally withLeader(boolean somebody, long now) {
        var passed = at(now);
        return new Tally(elected, lost, jeopardies, overlaps, overrun, passed.leaderlessNanos, !somebody, now);
    }

    /** Returns the counters with the leaderless time up to {@code now}. */
    public Tally at(long now) {
        long more = leaderless ? Math.max(0, now - asOf) : 0;
        return new Tally(elected, lost, jeopardies, overlaps, overrun, leaderlessNanos + more, leaderless, now);
    }
}
