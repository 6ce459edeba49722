package dev.doyen.chaos.random;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Decides from the ledgers of all processes whether the rules held.
 *
 * <ul>
 * <li>Overlap: no two processes are certain at one instant that they lead the same election. A leadership that was lost
 * never comes back, so a process is certain from the first sample of a term to the last.
 * <li>Terms: no two processes use the same term. A term that begins later is higher.
 * <li>State: a leader finds at least the count that the store confirmed to a leader of a lower term.
 * <li>Recovery: after each fault, each election is led again within the fault's limit.
 * </ul>
 *
 * <p>All stamps are readings of one clock. The class starts no threads and reads no clock. Threads: one.
 */
final class ChaosJudge {

    private final Duration ttl;
    private final Map<String, Map<TermOf, Interval>> intervals = new LinkedHashMap<>();
    private final Map<String, TreeMap<Long, Long>> saved = new LinkedHashMap<>();
    private final Map<String, TreeMap<Long, Long>> found = new LinkedHashMap<>();
    private final List<Fault> faults = new ArrayList<>();
    private long samples;

    private record TermOf(String process, long term) {}

    /**
     * The time for which a process was certain that it leads in a term.
     *
     * <p>It lasts from the stamp of the first sample to the stamp of the last.
     */
    record Interval(String election, String process, long term, long first, long last) {
        private Interval with(long stamp) {
            return new Interval(election, process, term, Math.min(first, stamp), Math.max(last, stamp));
        }

        private boolean intersects(Interval other) {
            return first <= other.last && other.first <= last;
        }
    }

    /**
     * A time without a leader in an election that was led before.
     *
     * @param fault the cause; empty if the time began more than a ttl after the last fault
     * @param nanos until the next leader's first sample; from the fault's {@code from}, or from the last sample if there
     *     is no fault or if it only hinders the leader
     * @param limit how long it may take
     */
    record Recovery(Optional<Fault> fault, String election, long nanos, Duration limit) {
        boolean isLate() {
            return nanos > limit.toNanos();
        }
    }

    ChaosJudge(Duration ttl) {
        this.ttl = ttl;
    }

    void note(String process, LedgerLine line) {
        switch (line.what()) {
            case CERTAIN -> certain(process, line);
            case FOUND ->
                found.computeIfAbsent(line.election(), e -> new TreeMap<>())
                        .merge(line.term(), line.value(), Math::min);
            case SAVED ->
                saved.computeIfAbsent(line.election(), e -> new TreeMap<>())
                        .merge(line.term(), line.value(), Math::max);
            case HANGS, STALLED, LEADS_LOG -> {
                // These lines are for readers of the ledger and for the run.
            }
        }
    }

    private void certain(String process, LedgerLine line) {
        samples += line.value();
        var interval = new Interval(line.election(), process, line.term(), line.stamp(), line.stamp());
        intervals
                .computeIfAbsent(line.election(), e -> new LinkedHashMap<>())
                .merge(new TermOf(process, line.term()), interval, (old, fresh) -> old.with(fresh.first));
    }

    /** Records a fault. Call it in the order in which the faults begin. */
    void note(Fault fault) {
        faults.add(fault);
    }

    long samples() {
        return samples;
    }

    List<Fault> faults() {
        return List.copyOf(faults);
    }

    int terms() {
        return intervals.values().stream().mapToInt(Map::size).sum();
    }

    /** Returns the term with the latest sample in this election, if any. */
    Optional<Interval> lastIn(String election) {
        return ofElection(election).stream().max(Comparator.comparingLong(Interval::last));
    }

    /** Describes each pair of terms in which two processes were certain at one instant. */
    List<String> overlaps() {
        List<String> overlaps = new ArrayList<>();
        for (String election : intervals.keySet()) {
            List<Interval> all = ofElection(election);
            for (int i = 0; i < all.size(); i++) {
                for (int k = i + 1; k < all.size(); k++) {
                    Interval one = all.get(i);
                    Interval other = all.get(k);
                    if (!one.process.equals(other.process) && one.intersects(other)) {
                        overlaps.add("two leaders: " + one + " and " + other);
                    }
                }
            }
        }
        return overlaps;
    }

    /** Describes each term that two processes used, and each that did not rise. */
    List<String> wrongTerms() {
        List<String> wrong = new ArrayList<>();
        for (String election : intervals.keySet()) {
            Interval before = null;
            for (Interval each : ofElection(election)) {
                if (before != null && each.term == before.term) {
                    wrong.add("one term of two processes: " + before + " and " + each);
                } else if (before != null && each.term < before.term) {
                    wrong.add("the term fell: " + before + " and " + each);
                }
                before = each;
            }
        }
        return wrong;
    }

    /**
     * Describes each term that began with a lost state.
     *
     * <p>The count that it found was lower than a count that the store had confirmed to a lower term.
     */
    List<String> lostStates() {
        List<String> lost = new ArrayList<>();
        found.forEach((election, ofTerms) -> ofTerms.forEach((term, count) -> {
            TreeMap<Long, Long> confirmed = saved.getOrDefault(election, new TreeMap<>());
            confirmed.headMap(term).forEach((savedIn, savedCount) -> {
                if (savedCount > count) {
                    lost.add("lost state: " + election + " term " + term + " found " + count + ", but term " + savedIn
                            + " had saved " + savedCount);
                }
            });
        }));
        return lost;
    }

    /**
     * Returns all times without a leader that began before {@code end}.
     *
     * <p>They are sorted by election and then by time.
     */
    List<Recovery> recoveries(long end) {
        List<Recovery> recoveries = new ArrayList<>();
        for (String election : intervals.keySet()) {
            List<Interval> all = ofElection(election);
            long led = all.get(0).last;
            for (Interval each : all) {
                if (each.first > led) {
                    recoveries.add(recovery(election, led, each.first));
                }
                led = Math.max(led, each.last);
            }
            if (end - led > ttl.toNanos()) {
                recoveries.add(recovery(election, led, end));
            }
        }
        return recoveries;
    }

    private Recovery recovery(String election, long lost, long led) {
        // A process that is killed may not have written the samples of its last moments.
        long slack = ttl.toNanos() / 4;
        Fault cause = null;
        for (Fault fault : faults) {
            if (fault.begin() - slack <= lost) {
                cause = fault;
            }
        }
        if (cause == null || lost - cause.from() > ttl.toNanos()) {
            return new Recovery(Optional.empty(), election, led - lost, ttl.plusSeconds(2));
        }
        long from = cause.kind().hindersLeader() ? Math.max(cause.from(), lost) : cause.from();
        return new Recovery(Optional.of(cause), election, Math.max(0, led - from), cause.limit());
    }

    private List<Interval> ofElection(String election) {
        return intervals.getOrDefault(election, Map.of()).values().stream()
                .sorted(Comparator.comparingLong(Interval::first))
                .toList();
    }
}
