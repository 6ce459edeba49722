package dev.doyen.cli.doctor;

import dev.doyen.Fencing;
import dev.doyen.election.LeaseTiming;
import dev.doyen.elector.text.Spans;
import dev.doyen.store.LeaseStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Evaluates the promises, the observed behaviour and the latency of a store. */
public final class StoreChecks {

    private static final Duration MAX_TTL = Duration.ofHours(1);

    private StoreChecks() {}

    /** Reports the scope of a store, its promises and its remarks. */
    public static List<Check> promises(LeaseStore.Promises promises, Fencing fencing, LeaseTiming timing) {
        var checks = new ArrayList<Check>();
        checks.add(Check.ok("scope", "elections in it extend to " + promises.scope()));
        checks.add(terms(promises, fencing));
        checks.add(Check.ok(
                "announcing",
                promises.watches()
                        ? "it announces changes"
                        : "it does not announce changes: a handover is seen at the next read, within "
                                + Spans.text(timing.pollEvery()) + " or so"));
        for (String remark : promises.remarks()) {
            checks.add(
                    promises.durableTerms()
                            ? Check.ok("remark", remark)
                            : Check.warn("remark", remark, "read the remark"));
        }
        return checks;
    }

    private static Check terms(LeaseStore.Promises promises, Fencing fencing) {
        if (promises.durableTerms()) {
            return Check.ok("terms", "the store never loses a confirmed term, so terms are safe for fencing");
        }
        var remedy = "use a store that never loses confirmed writes, or change the settings that the remarks name";
        return fencing == Fencing.REQUIRED
                ? Check.fail("terms", "fencing is required, but the store may lose a confirmed term", remedy)
                : Check.warn("terms", "the store may lose a confirmed term, so terms are not safe for fencing", remedy);
    }

    /**
     * Reports whether the store behaved correctly.
     *
     * @param faults the incorrect behaviours, one sentence for each
     */
    public static List<Check> conformance(List<String> faults) {
        if (faults.isEmpty()) {
            return List.of(Check.ok("conformance", "compare-and-set is correct, alone and in a race"));
        }
        return faults.stream()
                .map(fault -> Check.fail("conformance", fault, "do not elect in this store"))
                .toList();
    }

    public static Check latency(Latency read, Latency write) {
        return Check.ok(
                        "latency",
                        "reads take " + Spans.text(read.median()) + " (at worst " + Spans.text(read.worst())
                                + "), writes " + Spans.text(write.median()) + " (at worst " + Spans.text(write.worst())
                                + ")")
                .measuring(numbers("read", read, "write", write));
    }

    /** Compares the latency with the limits that follow from a ttl. */
    public static Check timing(Latency read, Latency write, LeaseTiming timing) {
        var slower = Latency.slower(read, write);
        var timeout = timing.requestTimeout();
        var ttl = "a ttl of " + Spans.text(timing.ttl());
        var bound = "calls time out after " + Spans.text(timeout) + ", renewals are due every "
                + Spans.text(timing.renewEvery());
        if (slower.median().compareTo(timeout) >= 0) {
            return Check.fail("timing", "too slow for " + ttl + ": " + bound, raise(slower.median()));
        }
        if (slower.worst().compareTo(timeout.dividedBy(2)) >= 0) {
            return Check.warn(
                    "timing",
                    "tight for " + ttl + ": the worst call took " + Spans.text(slower.worst()) + "; " + bound,
                    raise(slower.worst()));
        }
        return Check.ok("timing", "fast enough for " + ttl + ": " + bound);
    }

    /**
     * Reports whether a store announced the changes that it promises to announce.
     *
     * @param delays the times between the start of a write and its announcement, one for each announced write
     * @param missed the number of writes that were not announced in time. If this number is 0 and {@code delays} is
     *     empty, other processes have changed the record before each write
     */
    public static Check watch(List<Duration> delays, int missed, LeaseTiming timing) {
        if (delays.isEmpty() && missed == 0) {
            return Check.warn(
                    "watch",
                    "the announcements were not checked, because other processes changed the record before each write",
                    "repeat the command while no other doyen doctor checks this store");
        }
        if (delays.isEmpty()) {
            return Check.warn(
                    "watch",
                    "it promises to announce changes, but none of " + missed + " was announced",
                    "find out what blocks the announcements; until then a handover is seen within "
                            + Spans.text(timing.watchedPollEvery()));
        }
        var delay = Latency.of(delays);
        var text = "own writes are announced " + Spans.text(delay.median()) + " after they were sent (at worst "
                + Spans.text(delay.worst()) + ")";
        var measured = numbers("notice", delay);
        measured.put("missed", (long) missed);
        return (missed == 0
                        ? Check.ok("watch", text)
                        : Check.warn(
                                "watch",
                                text + ", but " + missed + " of " + (missed + delays.size()) + " were not",
                                "a handover that is not announced is seen within "
                                        + Spans.text(timing.watchedPollEvery())))
                .measuring(measured);
    }

    /**
     * Suggests a ttl of at least ten times the latency, or a faster store.
     *
     * <p>The request timeout is a fifth of the ttl. With the suggested ttl, a call of this latency takes at most half
     * of the timeout.
     */
    private static String raise(Duration call) {
        var enough = call.multipliedBy(10);
        if (enough.compareTo(MAX_TTL) > 0) {
            return "no ttl is long enough; use a faster store";
        }
        var rounded = Duration.ofSeconds(Math.max(1, (enough.toMillis() + 999) / 1000));
        return "use a ttl of " + Spans.text(rounded) + " or more, or a faster store";
    }

    private static Map<String, Long> numbers(String one, Latency first, String other, Latency second) {
        var all = numbers(one, first);
        all.putAll(numbers(other, second));
        return all;
    }

    private static Map<String, Long> numbers(String what, Latency latency) {
        var numbers = new LinkedHashMap<String, Long>();
        numbers.put(what + "MedianMicros", latency.median().toNanos() / 1000);
        numbers.put(what + "WorstMicros", latency.worst().toNanos() / 1000);
        return numbers;
    }
}
