package dev.doyen.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.Candidate;
import dev.doyen.Election;
import dev.doyen.ElectionListener;
import dev.doyen.Leadership;
import dev.doyen.RingElectionBuilder;
import dev.doyen.event.LossCause;
import dev.doyen.lease.Explanation.Reason;
import dev.doyen.membership.Membership;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rings with voters, and leaders that hand over, as a user has them. Follow is 1 s, so that a vote is held for 880 ms. */
class QuorumElectionTest {

    private final ManualThreads threads = new ManualThreads();
    private final FakeCluster cluster = new FakeCluster(threads);
    private final Map<String, Participant> processes = new LinkedHashMap<>();

    @TempDir
    Path folder;

    private static final class Participant implements ElectionListener {
        final Membership membership;
        final Candidate candidate;
        final List<String> heard = new ArrayList<>();

        Participant(Membership membership, Candidate candidate) {
            this.membership = membership;
            this.candidate = candidate;
            candidate.listen(this);
        }

        @Override
        public void elected(Leadership leadership) {
            heard.add("elected " + leadership.term());
        }

        @Override
        public void lost(LossCause cause) {
            heard.add("lost " + cause);
        }
    }

    private RingElectionBuilder ring(Membership membership) {
        return Election.ring("orders").membership(membership).threads(threads).follow(Duration.ofSeconds(1));
    }

    private Participant start(String id) {
        Membership membership = cluster.join(id);
        Election election = ring(membership)
                .voters(List.of("a", "b", "c"))
                .promises(folder.resolve(id))
                .open();
        var process = new Participant(membership, election.join(id));
        processes.put(id, process);
        pass(10);
        return process;
    }

    private void three() {
        start("a");
        start("b");
        start("c");
        pass(2_000);
        assertThat(leaders()).hasSize(1);
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

    @Test
    void one_voter_alone_says_that_there_is_no_quorum_and_two_elect_after_the_wait() {
        Participant a = start("a");
        pass(5_000);
        assertThat(leaders()).isEmpty();
        assertThat(a.candidate.explain().reason()).isEqualTo(Reason.NO_QUORUM);
        assertThat(a.candidate.explain().sentence())
                .isEqualTo(
                        "no quorum: 1 of the voters [a, b, c] in the view of this member alone can vote, and 2 are needed");
        start("b");
        pass(500);
        assertThat(leaders()).as("b has begun only now, and waits").isEmpty();
        pass(600);
        assertThat(leaders()).hasSize(1);
    }

    @Test
    void while_it_asks_it_says_how_many_have_granted() {
        start("a");
        pass(3_000);
        start("b");
        pass(200);
        assertThat(processes.values().stream()
                        .map(each -> each.candidate.explain().sentence()))
                .anySatisfy(said -> assertThat(said).contains("asks the voters for term 1: 1 granted of the 2 needed"));
    }

    @Test
    void the_side_with_fewer_voters_has_no_leader_and_the_other_one_has() {
        three();
        String old = leaders().get(0);
        cluster.partition(of(old).membership);
        pass(10);
        assertThat(of(old).heard).endsWith("lost NO_QUORUM");
        pass(3_000);
        assertThat(leaders()).hasSize(1).doesNotContain(old);
        assertThat(of(old).candidate.explain().reason()).isEqualTo(Reason.NO_QUORUM);
    }

    @Test
    void a_number_is_not_used_again_though_all_have_begun_anew() {
        three();
        long before = of(leaders().get(0)).candidate.leadership().orElseThrow().term();
        for (Participant each : processes.values()) {
            each.membership.close();
            pass(10);
        }
        processes.clear();
        three();
        assertThat(of(leaders().get(0)).candidate.leadership().orElseThrow().term())
                .isGreaterThan(before);
    }

    @Test
    void a_leader_that_closes_is_followed_at_once() {
        three();
        String old = leaders().get(0);
        of(old).candidate.close();
        pass(100);
        assertThat(leaders()).hasSize(1).doesNotContain(old);
    }

    @Test
    void a_leader_that_crashes_is_followed_when_votes_are_free() {
        three();
        String old = leaders().get(0);
        cluster.kill(of(old).membership);
        processes.remove(old);
        pass(500);
        assertThat(leaders()).isEmpty();
        pass(700);
        assertThat(leaders()).hasSize(1);
    }

    @Test
    void a_leader_hands_over_to_whom_it_names() {
        three();
        for (String heir : List.of("c", "b", "a", "c")) {
            String old = leaders().get(0);
            long term = of(old).candidate.leadership().orElseThrow().term();
            of(old).candidate.transferTo(heir);
            pass(100);
            if (!old.equals(heir)) {
                assertThat(leaders()).containsExactly(heir);
                assertThat(of(old).heard).endsWith("lost TRANSFERRED");
                assertThat(of(heir).candidate.leadership())
                        .map(Leadership::term)
                        .hasValueSatisfying(later -> assertThat(later).isGreaterThan(term));
            }
        }
    }

    @Test
    void a_leader_goes_on_if_the_member_it_is_to_hand_over_to_is_not_there() {
        three();
        String leader = leaders().get(0);
        long term = of(leader).candidate.leadership().orElseThrow().term();
        var handedOver = of(leader).candidate.transferTo("nobody");
        pass(100);
        assertThat(handedOver).isDone();
        assertThat(leaders()).containsExactly(leader);
        assertThat(of(leader).candidate.leadership()).map(Leadership::term).contains(term);
    }

    @Test
    void an_heir_that_does_not_stand_leaves_the_others_to_elect_and_why_is_told() {
        three();
        String old = leaders().get(0);
        String heir = other(old);
        of(heir).candidate.pause();
        pass(10);
        of(old).candidate.transferTo(heir);
        pass(100);
        assertThat(leaders()).containsExactly(other(old, heir));
        assertThat(of(old).candidate.explain().sentence()).contains("leads, in term");
        of(leaders().get(0)).candidate.pause();
        pass(20);
        of(old).candidate.pause();
        pass(100);
        of(old).candidate.resume();
        pass(100);
        assertThat(of(old).candidate.explain().sentence())
                .contains("the hand-over to \"" + heir + "\" failed: another was elected");
    }

    @Test
    void members_that_were_given_different_voters_do_not_elect_together() {
        start("a");
        Membership membership = cluster.join("b");
        Election election = ring(membership).voters(List.of("a", "b", "x")).open();
        processes.put("b", new Participant(membership, election.join("b")));
        pass(5_000);
        assertThat(leaders()).isEmpty();
    }

    @Test
    void a_voter_that_is_there_twice_counts_for_nobody() {
        start("a");
        start("b");
        Membership twin = cluster.join("b");
        processes.put(
                "twin",
                new Participant(
                        twin, ring(twin).voters(List.of("a", "b", "c")).open().join("b")));
        pass(5_000);
        assertThat(leaders()).isEmpty();
        assertThat(of("a").candidate.explain().reason()).isEqualTo(Reason.NO_QUORUM);
        twin.close();
        processes.remove("twin");
        pass(2_000);
        assertThat(leaders()).hasSize(1);
    }

    @Test
    void what_cannot_be_meant_is_refused_with_a_sentence() throws Exception {
        Membership a = cluster.join("a");
        assertThatThrownBy(() -> ring(a).voters(List.of("a", "b"))).hasMessageContaining("name an odd number");
        assertThatThrownBy(() -> ring(a).promises(folder.resolve("p")).open())
                .hasMessageContaining("and no voters; name the voters, or leave the file out");
        Files.writeString(folder.resolve("q"), "something else\n");
        assertThatThrownBy(() -> ring(a).voters(List.of("a"))
                        .promises(folder.resolve("q"))
                        .open())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("it is not a file of promises");
        ring(a).voters(List.of("a")).promises(folder.resolve("r")).open();
        threads.pass(Duration.ofSeconds(5));
        assertThat(Files.readString(folder.resolve("r"))).contains("election: orders");
        Membership d = cluster.join("d");
        ring(d).voters(List.of("a")).promises(folder.resolve("q")).open();
    }

    @Test
    void on_a_ring_without_voters_a_leader_hands_over_too() {
        for (String id : List.of("a", "b", "c")) {
            Membership membership = cluster.join(id);
            processes.put(
                    id, new Participant(membership, ring(membership).open().join(id)));
        }
        pass(1_000);
        assertThat(leaders()).containsExactly("a");
        of("a").candidate.transferTo("c");
        pass(100);
        assertThat(leaders()).containsExactly("c");
        assertThat(of("a").heard).endsWith("lost TRANSFERRED");
    }
}
