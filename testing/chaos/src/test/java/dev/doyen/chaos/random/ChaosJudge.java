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
 * Checks the ledgers of all processes for violations of the rules.
 *
 * <ul>
 * <li>Overlap: no two processes are certain at the same instant that they lead the same election. A lost term never
 * continues. So a process counts as certain from the first sample of a term to the last sample.
 * <li>Terms: no two processes lead in the same term. A later term is higher.
 * <li>State: each leader increments a count, and saves the count. A leader receives at least the count that the store
 * has confirmed to a leader of a lower term.
 * <li>Recovery: after each fault, each election has a leader again within the limit of the fault.
 * </ul>
 *
 * <p>All times in the ledgers come from the same clock. The class itself reads no clock. Threads: one.
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
     * The time for which a process was certain that it led in a term.
     *
     * <p>The time lasts from the stamp of the first sample to the stamp of the last sample.
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
     * A time without a leader in an election that had a leader before.
     *
     * @param fault the fault that caused this time. Empty if no fault had begun, or if this time began more than a ttl
     *     after {@link Fault#from} of the last fault
     * @param nanos the time from {@link Fault#from} until the first sample of the next leader, or 0 if that sample is
     *     earlier. If there is no cause, the time begins with the old leader's last sample. If the fault only hinders
     *     the leader, the time begins with the old leader's last sample, but not before {@link Fault#from}
     * @param limit the limit of {@code nanos}
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
                // The judge does not need these lines. People and ChaosRun read them.
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

    /** Records a fault. Must be called in the order in which the faults begin. */
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

    /** Returns the interval with the latest sample in this election; empty if the election has no sample. */
    Optional<Interval> lastIn(String election) {
        return ofElection(election).stream().max(Comparator.comparingLong(Interval::last));
    }

    /** Describes each pair of terms whose leaders were certain at the same instant. */
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

    /** Describes each term that is not higher than the preceding term of its election. */
    List<String> wrongTerms() {
        List<String> wrong = new ArrayList<>();
        for (String election : intervals.keySet()) {
            Interval before = null;
            for (Interval each : ofElection(election)) {
                if (before != null && each.term == before.term) {
                    wrong.add("one term of two processes: " + before + " and " + each);
                } else if (before != null && each.term < before.term) {
                    wrong.add("the term decreased: " + before + " and " + each);
                }
                before = each;
            }
        }
        return wrong;
    }

    /**
     * Describes each term whose leader received an old state.
     *
     * <p>The count in such a state is lower than a count that the store had confirmed to the leader of a lower term.
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
     * Returns each period without a leader.
     *
     * <p>If an election still has no leader at {@code end}, the period ends there. The result contains this last period
     * only if it is longer than a ttl. The periods of one election follow each other in the result, sorted by time.
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
        // A process can be killed before it has written its last samples. Its leadership then seems to end before
        // the fault.
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
