package dev.doyen.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.election.ElectionListener;
import dev.doyen.election.NotLeaderException;
import dev.doyen.event.LossCause;
import dev.doyen.event.SavedState;
import dev.doyen.membership.Membership;
import dev.doyen.testkit.LogLines;
import dev.doyen.testkit.ManualThreads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests handover and saved state on a ring through the API. The election timeout is 1 s. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // A faulty save can wait forever.
class RingSuccessionTest {

    private final ManualThreads threads = new ManualThreads();
    private final FakeCluster cluster = new FakeCluster(threads);
    private final Map<String, Participant> processes = new LinkedHashMap<>();

    private static final class Participant implements ElectionListener<RingLeadership> {
        final Membership membership;
        final RingCandidate candidate;
        final List<String> received = new ArrayList<>();

        /** The saved state with which this participant's last term began. */
        String begunWith = "nothing";

        Participant(Membership membership, RingCandidate candidate) {
            this.membership = membership;
            this.candidate = candidate;
            candidate.listen(this);
        }

        @Override
        public void elected(RingLeadership leadership) {
            received.add("elected " + leadership.counter());
            begunWith = leadership.state().text();
        }

        @Override
        public void lost(LossCause cause) {
            received.add("lost " + cause);
        }
    }

    private RingElectionBuilder ring(Membership membership) {
        return RingElection.named("orders")
                .membership(membership)
                .threads(threads)
                .electionTimeout(Duration.ofSeconds(1));
    }

    private Participant start(String id) {
        Membership membership = cluster.join(id);
        RingElection election = ring(membership).open();
        var process = new Participant(membership, election.join(id));
        processes.put(id, process);
        pass(10);
        return process;
    }

    private void three() {
        start("a");
        start("b");
        start("c");
        pass(1_000);
        assertThat(leaders()).containsExactly("a");
    }

    private Participant of(String id) {
        return processes.get(id);
    }

    private List<String> leaders() {
        return processes.keySet().stream()
                .filter(id -> of(id).candidate.isLeader())
                .toList();
    }

    private void pass(long millis) {
        threads.pass(Duration.ofMillis(millis));
    }

    private String other(String... not) {
        return processes.keySet().stream()
                .filter(id -> !List.of(not).contains(id))
                .findFirst()
                .orElseThrow();
    }

    private RingLeadership leadership(String id) {
        return of(id).candidate.leadership().orElseThrow();
    }

    @Test
    void the_next_leader_starts_with_the_last_saved_state() throws Exception {
        three();
        assertThat(of("a").begunWith).isEmpty();
        RingLeadership first = leadership("a");
        first.save(SavedState.ofText("row 4"));
        first.save(SavedState.ofText("row 5"));
        assertThat(first.state().text()).isEqualTo("row 5");
        cluster.kill(of("a").membership);
        processes.remove("a");
        pass(100);
        assertThat(leaders()).containsExactly("b");
        assertThat(of("b").begunWith).isEqualTo("row 5");
        assertThat(leadership("b").state().text()).isEqualTo("row 5");
    }

    @Test
    void the_next_leader_has_the_state_after_a_handover_and_a_resignation() throws Exception {
        three();
        leadership("a").save(SavedState.ofText("row 1"));
        of("a").candidate.transferTo("c");
        pass(100);
        assertThat(of("c").begunWith).isEqualTo("row 1");
        leadership("c").save(SavedState.ofText("row 2"));
        of("c").candidate.resign();
        pass(100);
        assertThat(of(leaders().get(0)).begunWith).isEqualTo("row 2");
    }

    @Test
    void a_process_that_joined_later_starts_with_the_state() throws Exception {
        start("a");
        leadership("a").save(SavedState.ofText("alone"));
        start("b");
        pass(500);
        of("a").candidate.close();
        pass(100);
        assertThat(leaders()).containsExactly("b");
        assertThat(of("b").begunWith).isEqualTo("alone");
    }

    @Test
    void the_largest_state_is_saved_and_a_larger_one_is_rejected() throws Exception {
        three();
        byte[] most = new byte[SavedState.MAX_BYTES];
        leadership("a").save(SavedState.of(most));
        of("a").candidate.transferTo("b");
        pass(100);
        assertThat(leadership("b").state()).isEqualTo(SavedState.of(most));
        assertThatThrownBy(() -> SavedState.of(new byte[SavedState.MAX_BYTES + 1]))
                .hasMessage("the saved state has 65537 bytes; at most 65536 can be saved for the next leader: save a"
                        + " pointer to the rest");
    }

    @Test
    void an_unconfirmed_save_fails_when_the_term_ends() {
        three();
        RingLeadership leadership = leadership("a");
        List.of("b", "c").forEach(id -> cluster.drop(of(id).membership, of("a").membership));
        assertThatThrownBy(() -> leadership.save(SavedState.ofText("row 5"))).isInstanceOf(NotLeaderException.class);
        assertThat(of("a").received).endsWith("lost EXPIRED");
    }

    @Test
    void a_save_in_an_ended_term_fails_and_the_last_state_stays_readable() throws Exception {
        three();
        RingLeadership first = leadership("a");
        first.save(SavedState.ofText("row 1"));
        of("a").candidate.transferTo("b");
        pass(100);
        leadership("b").save(SavedState.ofText("row 2"));
        of("b").candidate.transferTo("a");
        pass(100);
        assertThat(of("a").begunWith).isEqualTo("row 2");
        assertThatThrownBy(() -> first.save(SavedState.ofText("late"))).isInstanceOf(NotLeaderException.class);
        assertThat(first.state().text()).isEqualTo("row 1");
        assertThat(leadership("a").state().text()).isEqualTo("row 2");
    }

    @Test
    void after_a_partition_the_state_of_the_greater_term_remains() throws Exception {
        three();
        leadership("a").save(SavedState.ofText("before"));
        cluster.partition(of("a").membership);
        pass(2_000);
        assertThat(leaders()).containsExactlyInAnyOrder("a", "b");
        assertThat(of("b").begunWith).isEqualTo("before");
        leadership("b").save(SavedState.ofText("greater term"));
        leadership("a").save(SavedState.ofText("later, in the lesser term"));
        cluster.merge();
        pass(2_000);
        assertThat(leaders()).containsExactly("b");
        of("b").candidate.transferTo("a");
        pass(100);
        assertThat(of("a").begunWith).isEqualTo("greater term");
    }

    @Test
    void a_leader_hands_over_to_its_preferred_successor() {
        three();
        for (String successor : List.of("c", "b", "a", "c")) {
            String old = leaders().get(0);
            long term = of(old).candidate.leadership().orElseThrow().counter();
            of(old).candidate.transferTo(successor);
            pass(100);
            if (!old.equals(successor)) {
                assertThat(leaders()).containsExactly(successor);
                assertThat(of(old).received).endsWith("lost TRANSFERRED");
                assertThat(of(successor).candidate.leadership())
                        .map(RingLeadership::counter)
                        .hasValueSatisfying(later -> assertThat(later).isGreaterThan(term));
            }
        }
    }

    @Test
    void a_leader_continues_if_its_successor_is_not_in_the_view() {
        three();
        String leader = leaders().get(0);
        long term = of(leader).candidate.leadership().orElseThrow().counter();
        var handedOver = of(leader).candidate.transferTo("nobody");
        pass(100);
        assertThat(handedOver).isDone();
        assertThat(leaders()).containsExactly(leader);
        assertThat(of(leader).candidate.leadership())
                .map(RingLeadership::counter)
                .contains(term);
    }

    @Test
    void if_the_successor_does_not_campaign_others_are_elected_and_the_reason_is_logged() {
        three();
        String old = leaders().get(0);
        String successor = other(old);
        of(successor).candidate.pause();
        pass(10);
        try (var log = new LogLines("election=orders ")) {
            of(old).candidate.transferTo(successor);
            pass(100);
            assertThat(leaders()).containsExactly(other(old, successor));
            assertThat(log.lines())
                    .anyMatch(line ->
                            line.contains("the handover to \"" + successor + "\" failed: another member was elected"));
        }
        assertThat(of(old).candidate.explain().sentence()).contains("leads, in term");
    }
}
