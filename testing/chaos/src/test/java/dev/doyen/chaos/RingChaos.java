package dev.doyen.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.chaos.RingOutput.MemberState;
import dev.doyen.cluster.ClusterSettings;
import dev.doyen.group.settings.RingTiming;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Chaos tests of the leader of a ring of three real processes with default settings.
 *
 * <p>The process that starts first is also JGroups' coordinator. So the election's result can be compared with what
 * JGroups reports without an election. Each process prints when its view changes and which leader it names; the times
 * come from its own clock. {@code -Dchaos.rounds=10} prints medians.
 */
abstract class RingChaos {

    /** Long enough for anything to happen. Only a failing test waits this long. */
    static final long PATIENCE_MILLIS = 120_000;

    static final int ROUNDS = Integer.getInteger("chaos.rounds", 1);

    /** The election timeout. A member that has a view but names no leader within this time has lost messages. */
    static final Duration ELECTION_TIMEOUT = RingTiming.DEFAULT_ELECTION_TIMEOUT;

    /** An allowance for a busy machine that does not run a process at once. */
    static final Duration BUSY_MACHINE = Duration.ofSeconds(15);

    static final Duration VERIFIED = Duration.ofMillis(500);
    static final Duration SILENT = ClusterSettings.local("chaos", "any").silence();

    final RingOutput output = new RingOutput();

    /** The members by the place where they run. */
    final Map<Integer, RingProcess> members = new TreeMap<>();

    private int started;

    /** Returns the address and port of the member at each place. */
    abstract List<String> addresses();

    /** Returns the words before a command that run it at this place. */
    abstract List<String> prefix(int place);

    abstract String secret();

    /** Describes where the processes run, for the report. */
    abstract String where();

    @AfterEach
    void endAll() throws Exception {
        for (RingProcess member : members.values()) {
            member.close();
        }
    }

    @Test
    void when_the_leader_is_killed_the_survivors_agree_on_the_next() throws Exception {
        startAll();
        var spans = new Spans();
        for (int round = 0; round < ROUNDS; round++) {
            int place = placeOf(agreed());
            RingProcess leader = dropped(place);
            spans.goes(leader.id());
            long from = RingMember.micros();
            leader.kill();
            spans.add(followed(leader.id(), from));
            start(place);
        }
        assertThat(spans.views)
                .allMatch(millis -> millis < VERIFIED.plus(BUSY_MACHINE).toMillis());
        holds();
        spans.say("SIGKILL of the leader");
    }

    /**
     * Waits until all members are in one view and agree on its leader.
     *
     * <p>Returns the leader's id, after the leader has led in this view.
     */
    final String agreed() throws InterruptedException {
        Map<String, MemberState> all = output.awaitAgreement(ids(), leader -> true);
        String leader = all.values().iterator().next().leader().leader();
        output.awaitLeading(leader, RingMember.micros());
        return leader;
    }

    /** Waits until the remaining members agree on a leader other than this one. */
    final Span followed(String gone, long from) throws InterruptedException {
        var left = new TreeSet<>(ids());
        left.remove(gone);
        return Span.of(
                from,
                output.awaitAgreement(left, leader -> !leader.equals(gone)).values());
    }

    /**
     * Checks what must hold after each fault except a network partition.
     *
     * <p>Nobody leads in a term lower than an earlier one, and no term has two leaders.
     */
    final void holds() {
        assertThat(output.overlaps()).isEmpty();
        assertThat(output.sharedTerms()).isEmpty();
        assertThat(output.faults()).isEmpty();
    }

    final void startAll() throws Exception {
        for (int place = 0; place < addresses().size(); place++) {
            start(place);
            // Start them one after the other, so that the first is leader and coordinator. On a busy machine they may
            // still not find each other at once.
            agreed();
        }
    }

    final void start(int place) throws IOException {
        String id = "n" + ++started;
        List<String> all = addresses();
        members.put(place, RingProcess.start(prefix(place), id, all.get(place), all, secret(), output));
    }

    final Set<String> ids() {
        var ids = new TreeSet<String>();
        members.values().forEach(member -> ids.add(member.id()));
        return ids;
    }

    final int placeOf(String id) {
        return members.entrySet().stream()
                .filter(each -> each.getValue().id().equals(id))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElseThrow();
    }

    /** Removes the member at this place from the map, before it ends. */
    final RingProcess dropped(int place) {
        return Optional.ofNullable(members.remove(place)).orElseThrow();
    }

    /**
     * The times to recover from one fault, in milliseconds.
     *
     * @param view the time until the last member concerned had the new view, which names JGroups' coordinator
     * @param names the time from then until the last of them named the leader; negative if that came first, such as
     *     when a leader resigns before it leaves the view
     * @param same whether the leader is the coordinator
     */
    record Span(long view, long names, boolean same) {
        static Span of(long from, Collection<MemberState> all) {
            long viewed = all.stream().mapToLong(each -> each.view().at()).max().orElseThrow();
            long named =
                    all.stream().mapToLong(each -> each.leader().at()).max().orElseThrow();
            boolean same = all.stream()
                    .allMatch(each ->
                            each.view().coordinator().equals(each.leader().leader()));
            return new Span((viewed - from) / 1000, (named - viewed) / 1000, same);
        }
    }

    /** The times of all rounds, in milliseconds. */
    final class Spans {
        final List<Long> views = new ArrayList<>();
        final List<Long> names = new ArrayList<>();
        private final List<Long> totals = new ArrayList<>();
        private int same;
        private int coordinators;

        /** Records that a fault is about to hit this leader. */
        void goes(String leader) {
            coordinators += output.of(leader).view().coordinator().equals(leader) ? 1 : 0;
        }

        void add(Span span) {
            assertThat(span.names)
                    .as("from the new view to the last name, in ms; said was " + output.all())
                    .isLessThan(ELECTION_TIMEOUT.toMillis());
            views.add(span.view);
            names.add(span.names);
            totals.add(span.view + span.names);
            same += span.same ? 1 : 0;
        }

        void say(String fault) {
            System.out.printf(
                    "chaos ring %s, %s: new view and JGroups' coordinator at all after %s ms; all name the leader after %s"
                            + " ms, which is %s ms after the view; the leader was the coordinator before in %d, and after in"
                            + " %d of %d%n",
                    where(), fault, median(views), median(totals), median(names), coordinators, same, views.size());
        }
    }

    static String median(List<Long> values) {
        List<Long> sorted = values.stream().sorted().toList();
        return sorted.get(sorted.size() / 2) + " (" + Collections.min(values) + " to " + Collections.max(values) + ")";
    }
}
