package dev.doyen.drills;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.ring.RingTiming;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/**
 * What befalls a ring of three or five real processes that vote, with the settings that are shipped. Whatever it is, what they
 * were certain of is read afterwards: {@link Claims}. {@code -Ddrill.rounds=10} for medians, of three and of five.
 */
abstract class VoterDrill {

    static final RingTiming TIMING = RingTiming.ofFollow(RingTiming.DEFAULT_FOLLOW);

    static final String NO_QUORUM = "NO_QUORUM";

    @TempDir
    Path folder;

    private final List<VoterRing> opened = new ArrayList<>();
    private final Map<String, List<Long>> took = new LinkedHashMap<>();

    abstract VoterRing.Ground ground(int size);

    /** Where the processes are, for people. */
    abstract String where();

    /** In the short round the one, else both. */
    static List<Integer> sizes(int shortRound) {
        return RingDrill.ROUNDS == 1 ? List.of(shortRound) : List.of(3, 5);
    }

    @AfterEach
    void endAll() throws Exception {
        for (VoterRing ring : opened) {
            ring.close();
        }
    }

    final VoterRing ring(int size) throws Exception {
        return ring(size, TIMING);
    }

    final VoterRing ring(int size, RingTiming timing) throws Exception {
        var ring = new VoterRing(ground(size), folder, timing);
        opened.add(ring);
        ring.startAll();
        ring.agreed();
        return ring;
    }

    /** What holds whatever happened. */
    static void holds(VoterRing ring) {
        assertThat(ring.sayings.claims().all()).isNotEmpty();
        assertThat(ring.sayings.claims().faults()).isEmpty();
        assertThat(ring.sayings.faults()).isEmpty();
    }

    /** Waits until these agree on another than this, which went then; notes what that took. Returns who it is. */
    final String followed(VoterRing ring, String what, String gone, Set<String> left, long nanos, long micros)
            throws Exception {
        var all = ring.sayings.awaitAgreement(left, leader -> !leader.equals(gone));
        RingDrill.Span span = RingDrill.Span.of(micros, all.values());
        String next = ring.agreed(left, gone);
        note(what + ": until the new view is at all", span.view());
        note(what + ": until all name the next", span.view() + span.names());
        long first = ring.sayings.awaitClaim(next, nanos);
        long last = ring.sayings.claims().lastBefore(first).orElseThrow();
        note(what + ": nobody leads for", (first - last) / 1_000_000);
        assertThat(span.view() + span.names())
                .as("ms until " + left + " name another than " + gone)
                .isLessThan(RingDrill.SILENT
                        .plus(TIMING.hold())
                        .plus(TIMING.follow())
                        .plus(RingDrill.BUSY_MACHINE)
                        .toMillis());
        return next;
    }

    final void note(String what, long millis) {
        took.computeIfAbsent(what, key -> new ArrayList<>()).add(millis);
    }

    final void say(VoterRing ring) {
        took.forEach((what, millis) -> System.out.printf(
                "drill voters %s, %d of them, %s %s ms, %d rounds%n",
                where(), ring.ids().size(), what, RingDrill.median(millis), millis.size()));
    }

    static List<Integer> places(int from, int to) {
        return IntStream.range(from, to).boxed().toList();
    }
}
