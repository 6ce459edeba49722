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
 * Chaos tests of a ring with three real processes and default settings.
 *
 * <p>The first process to start normally becomes the leader. It then also becomes the coordinator, which JGroups
 * chooses without an election. The printed report states how often the leader is also the coordinator. Each process
 * prints its views and the leaders that it names, with the time of each. {@code -Dchaos.rounds=10} runs ten rounds and
 * prints the medians of the recovery times.
 */
abstract class RingChaos {

    /** The limit of each wait. Only a failing test waits this long. */
    static final long PATIENCE_MILLIS = 120_000;

    static final int ROUNDS = Integer.getInteger("chaos.rounds", 1);

    /** The election timeout. If no messages are lost, each member names a leader within this time after a new view. */
    static final Duration ELECTION_TIMEOUT = RingTiming.DEFAULT_ELECTION_TIMEOUT;

    /** The additional time that a busy machine can need before it runs a process. */
    static final Duration BUSY_MACHINE = Duration.ofSeconds(15);

    static final Duration VERIFIED = Duration.ofMillis(500);
    static final Duration SILENT = ClusterSettings.local("chaos", "any").silence();

    final RingOutput output = new RingOutput();

    /** The members. The key is the place of the member, which is the index of its address in {@link #addresses}. */
    final Map<Integer, RingProcess> members = new TreeMap<>();

    private int started;

    /** Returns the address and port of the member at each place. */
    abstract List<String> addresses();

    /** Returns the command prefix that runs a command at this place. */
    abstract List<String> prefix(int place);

    abstract String secret();

    /** Returns a description of the network for the report. */
    abstract String where();

    @AfterEach
    void endAll() throws Exception {
        for (RingProcess member : members.values()) {
            member.close();
        }
    }

    @Test
    void the_survivors_agree_on_the_next_leader_after_a_kill() throws Exception {
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
        spans.print("SIGKILL of the leader");
    }

    /**
     * Waits until all members are in one view and agree on the leader, and this leader leads.
     *
     * <p>Returns the id of the leader.
     */
    final String agreed() throws InterruptedException {
        Map<String, MemberState> all = output.awaitAgreement(ids(), leader -> true);
        String leader = all.values().iterator().next().leader().leader();
        output.awaitLeading(leader, RingMember.micros());
        return leader;
    }

    /** Waits until the remaining members agree on a leader other than {@code gone}. */
    final Span followed(String gone, long from) throws InterruptedException {
        var left = new TreeSet<>(ids());
        left.remove(gone);
        return Span.of(
                from,
                output.awaitAgreement(left, leader -> !leader.equals(gone)).values());
    }

    /**
     * Checks the rules that must hold after each fault except a network partition.
     *
     * <p>After a member has led, no member leads in a lower term. No term has two leaders. The terms that a member
     * names never decrease.
     */
    final void holds() {
        assertThat(output.overlaps()).isEmpty();
        assertThat(output.sharedTerms()).isEmpty();
        assertThat(output.faults()).isEmpty();
    }

    final void startAll() throws Exception {
        for (int place = 0; place < addresses().size(); place++) {
            start(place);
            // The processes start one after the other, so that the first process becomes leader and coordinator. On a
            // busy machine a process can nevertheless start a separate cluster, which merges later.
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

    /** Removes the member at this place from {@link #members}. The caller then ends the member. */
    final RingProcess dropped(int place) {
        return Optional.ofNullable(members.remove(place)).orElseThrow();
    }

    /**
     * The times of the recovery from one fault, in milliseconds.
     *
     * @param view the time from the fault until the last member has installed the new view
     * @param names the time from that view until the last member names the new leader. The time is negative if all
     *     members name the leader earlier, for example because the old leader resigned before it left the view
     * @param same true if the new leader is JGroups' coordinator in the view of each member
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

        /** Counts the round if the leader that is about to fail is JGroups' coordinator. */
        void goes(String leader) {
            coordinators += output.of(leader).view().coordinator().equals(leader) ? 1 : 0;
        }

        void add(Span span) {
            assertThat(span.names)
                    .as("ms from the new view until all members name the leader; output: " + output.all())
                    .isLessThan(ELECTION_TIMEOUT.toMillis());
            views.add(span.view);
            names.add(span.names);
            totals.add(span.view + span.names);
            same += span.same ? 1 : 0;
        }

        void print(String fault) {
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
