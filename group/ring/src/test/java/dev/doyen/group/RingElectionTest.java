package dev.doyen.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.election.ElectionListener;
import dev.doyen.election.HealthCheck;
import dev.doyen.event.Explanation.Reason;
import dev.doyen.event.Leader;
import dev.doyen.event.LossCause;
import dev.doyen.group.settings.RingAlgorithm;
import dev.doyen.group.settings.RingOrder;
import dev.doyen.membership.Membership;
import dev.doyen.membership.View;
import dev.doyen.membership.ViewId;
import dev.doyen.testkit.LogLines;
import dev.doyen.testkit.ManualThreads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests elections on a ring through the API. The test controls the cluster and the clock.
 *
 * <p>The election timeout is 1 s.
 *
 * <p>This class is longer than most classes, because all tests use the same cluster.
 */
class RingElectionTest {

    private static final Duration ELECTION_TIMEOUT = Duration.ofSeconds(1);

    private final ManualThreads threads = new ManualThreads();
    private final FakeCluster cluster = new FakeCluster(threads);
    private final Map<String, Participant> processes = new LinkedHashMap<>();

    /** A process with its candidate. */
    private static final class Participant {
        final Membership membership;
        final RingElection election;
        final RingCandidate candidate;
        final List<String> received = new ArrayList<>();

        Participant(Membership membership, RingElection election, RingCandidate candidate) {
            this.membership = membership;
            this.election = election;
            this.candidate = candidate;
        }
    }

    @ParameterizedTest
    @EnumSource
    void three_agree_on_one_leader(RingAlgorithm algorithm) {
        for (String id : List.of("a", "b", "c")) {
            start(id, algorithm);
        }
        pass(2_000);
        assertThat(leaders()).containsExactly("a");
        for (Participant each : processes.values()) {
            assertThat(each.candidate.leader()).map(Leader::id).contains("a");
        }
    }

    @ParameterizedTest
    @CsvSource({"OLDEST,c", "LOWEST_ID,a", "HIGHEST_ID,d"})
    void the_order_decides_the_next_leader(RingOrder order, String next) {
        Participant first = start("b", settings -> settings.order(order));
        pass(2_000);
        for (String id : List.of("c", "a", "d")) {
            start(id, settings -> settings.order(order));
            pass(2_000);
        }
        assertThat(leaders()).as("the leader stays the leader with every order").containsExactly("b");
        first.election.close();
        pass(2_000);
        assertThat(leaders()).containsExactly(next);
    }

    @Test
    void members_with_different_orders_elect_nobody_and_report_each_other() {
        try (var log = new LogLines("")) {
            Participant a = start("a", settings -> settings.order(RingOrder.LOWEST_ID));
            start("b", settings -> settings.order(RingOrder.HIGHEST_ID));
            pass(5_000);
            a.election.close();
            pass(5_000);
            assertThat(leaders()).isEmpty();
            assertThat(log.lines())
                    .anyMatch(line ->
                            line.contains("uses the order highest_id, and this member lowest_id; set the same for all"))
                    .anyMatch(line -> line.contains(
                            "uses the order lowest_id, and this member highest_id; set the same for all"));
        }
    }

    @Test
    void the_leader_stays_when_others_join() {
        Participant c = start("c");
        pass(100);
        assertThat(c.received).contains("elected 1");
        start("a");
        start("b");
        pass(3_000);
        assertThat(leaders()).containsExactly("c");
        assertThat(c.received).containsOnlyOnce("elected 1").doesNotContain("lost CLOSED", "lost SUPERSEDED");
    }

    @Test
    void a_closed_leader_is_replaced_at_once_even_with_an_open_membership() {
        Participant a = three();
        a.election.close();
        pass(50);
        assertThat(leaders()).containsExactly("b");
        assertThat(a.received).endsWith("lost CLOSED", "leader none");
        assertThat(of("b").candidate.leadership()).map(RingLeadership::counter).contains(term(a) + 1);
        // Member a still forwards messages. Otherwise the messages of the other members could not travel around the
        // whole ring.
        pass(5_000);
        assertThat(leaders()).containsExactly("b");
        assertThatThrownBy(a.election::observe).hasMessage("election \"orders\" is closed");
    }

    @Test
    void a_crashed_leader_is_replaced_after_the_next_view() {
        Participant a = three();
        cluster.kill(a.membership);
        pass(50);
        assertThat(leaders()).contains("b");
    }

    @Test
    void a_leader_without_messages_is_in_jeopardy_and_then_stops() {
        Participant a = three();
        cluster.drop(predecessorOf(a).membership, a.membership);
        pass(700);
        assertThat(a.received).endsWith("jeopardy");
        pass(200);
        assertThat(a.received).endsWith("lost EXPIRED", "leader none");
        assertThat(a.candidate.isLeader()).isFalse();
        cluster.dropNothing();
        pass(9_000);
        assertThat(leaders()).hasSize(1);
    }

    @Test
    void a_heartbeat_that_returns_ends_the_jeopardy() {
        Participant a = three();
        Participant before = predecessorOf(a);
        cluster.drop(before.membership, a.membership);
        pass(500);
        cluster.dropNothing();
        pass(500);
        assertThat(a.received).endsWith("jeopardy", "recovered");
        assertThat(leaders()).containsExactly("a");
    }

    @Test
    void two_sides_of_a_partition_have_leaders_and_one_remains_afterwards() {
        Participant a = three();
        cluster.partition(a.membership);
        pass(2_000);
        assertThat(leaders()).containsExactlyInAnyOrder("a", "b");
        cluster.merge();
        pass(2_000);
        assertThat(leaders()).containsExactly("b");
        assertThat(a.received).endsWith("lost SUPERSEDED", "leader none", "leader b 2");
    }

    @Test
    void terms_of_two_sides_can_be_equal() {
        Participant a = start("a");
        Participant b = start("b");
        cluster.partition(b.membership);
        pass(2_000);
        assertThat(leaders()).containsExactly("a", "b");
        assertThat(term(a)).isEqualTo(term(b));
        long before = term(a);
        cluster.merge();
        pass(2_000);
        assertThat(leaders())
                .as("the greater member id wins if the term numbers are equal")
                .containsExactly("b");
        assertThat(term(b)).as("the leader continues in its term").isEqualTo(before);
        assertThat(a.received)
                .as("the new leader of a has the same term number")
                .endsWith("leader a " + before, "lost SUPERSEDED", "leader none", "leader b " + before);
    }

    @Test
    void a_leader_that_resigns_campaigns_again_after_its_cooldown() {
        Participant a = three();
        CompletableFuture<Void> done = a.candidate.resign(Duration.ofSeconds(2));
        pass(20);
        assertThat(done).isDone();
        assertThat(leaders()).containsExactly("b");
        cluster.kill(of("b").membership);
        cluster.kill(of("c").membership);
        pass(50);
        assertThat(a.candidate.explain().reason()).isEqualTo(Reason.COOLDOWN);
        pass(3_000);
        assertThat(a.candidate.isLeader()).isTrue();
    }

    @Test
    void a_paused_candidate_does_not_lead_until_it_is_resumed() {
        Participant a = start("a");
        pass(50);
        a.candidate.pause();
        pass(5_000);
        assertThat(a.candidate.isLeader()).isFalse();
        assertThat(a.candidate.explain().reason()).isEqualTo(Reason.CANDIDATE_PAUSED);
        assertThat(a.received).endsWith("lost PAUSED", "leader none");
        a.candidate.resume();
        pass(50);
        assertThat(a.candidate.isLeader()).isTrue();
    }

    @Test
    void an_unhealthy_application_does_not_lead() {
        var well = new boolean[] {false};
        Membership membership = cluster.join("a");
        RingElection election = RingElection.named("orders")
                .membership(membership)
                .electionTimeout(ELECTION_TIMEOUT)
                .threads(threads)
                .health(HealthCheck.of(() -> well[0]).every(Duration.ofMillis(100)))
                .open();
        RingCandidate candidate = election.join("a");
        pass(50);
        assertThat(candidate.explain().reason()).isEqualTo(Reason.UNHEALTHY);
        well[0] = true;
        pass(1_000);
        assertThat(candidate.isLeader()).isTrue();
        well[0] = false;
        pass(1_000);
        assertThat(candidate.isLeader()).isFalse();
        assertThat(candidate.explain().reason()).isEqualTo(Reason.UNHEALTHY);
    }

    @Test
    void a_late_listener_is_notified_of_the_election_before_isLeader_is_true() {
        Participant a = three();
        var received = new ArrayList<String>();
        a.candidate.listen(listener(received));
        pass(0);
        assertThat(received).containsExactly("elected 1", "leader a 1");
    }

    @Test
    void an_observer_reports_the_leader_and_never_leads() {
        Membership quiet = cluster.join("quiet");
        RingElection election = RingElection.named("orders")
                .membership(quiet)
                .electionTimeout(ELECTION_TIMEOUT)
                .threads(threads)
                .open();
        var observer = election.observe();
        pass(3_000);
        assertThat(observer.leader()).isEmpty();
        assertThat(observer.explain().reason()).isEqualTo(Reason.OBSERVING);
        start("a");
        pass(3_000);
        assertThat(observer.leader()).map(Leader::id).contains("a");
    }

    @Test
    void one_membership_carries_several_elections() {
        Membership m = cluster.join("m");
        Membership n = cluster.join("n");
        var all = new ArrayList<RingCandidate>();
        for (Membership each : List.of(m, n)) {
            for (String name : List.of("one", "two")) {
                all.add(RingElection.named(name)
                        .membership(each)
                        .electionTimeout(ELECTION_TIMEOUT)
                        .priority(each.equals(m) == name.equals("one") ? 100 : 50)
                        .threads(threads)
                        .open()
                        .join(each.me().id()));
            }
        }
        pass(3_000);
        assertThat(all.stream().filter(RingCandidate::isLeader)).hasSize(2);
        assertThat(all.stream().filter(c -> c.election().equals("one")))
                .allMatch(c -> c.leader().isPresent());
    }

    @Test
    void a_suspended_process_does_not_lead_after_its_return() {
        Participant a = start("a");
        pass(100);
        threads.standStill(Duration.ofSeconds(30));
        assertThat(a.received).containsSubsequence("elected 1", "lost EXPIRED", "elected 2");
    }

    @Test
    void malformed_bytes_are_ignored() {
        Participant a = three();
        Participant before = predecessorOf(a);
        before.membership.send(a.membership.me(), "ring/orders", new byte[] {7, 7});
        pass(2_000);
        assertThat(leaders()).containsExactly("a");
    }

    @Test
    void the_end_of_the_membership_ends_the_leadership() {
        Participant a = three();
        a.membership.close();
        pass(50);
        assertThat(a.received).endsWith("lost CLOSED", "leader none");
        assertThat(leaders()).containsExactly("b");
        a.election.close();
    }

    @Test
    void invalid_values_are_rejected_with_a_sentence() {
        Participant a = start("a");
        assertThatThrownBy(() -> a.election.join("x"))
                .hasMessage("candidate id \"x\" is not the id of this process in its membership, \"a\";"
                        + " on a ring, a candidate has the id of its member");
        assertThatThrownBy(() -> a.election.join("a"))
                .hasMessage("\"a\" is a candidate in election \"orders\" already; on a ring, a process is one member;"
                        + " close that candidate first");
        assertThatThrownBy(() -> RingElection.named("orders").open()).hasMessageContaining("has no membership");
        assertThatThrownBy(() -> RingElection.named("n".repeat(251))).hasMessageContaining("on a ring at most 250");
        assertThatThrownBy(() -> RingElection.named("orders")
                        .membership(a.membership)
                        .threads(threads)
                        .open())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("takes part, or took part, in \"ring/orders\"");
        assertThatThrownBy(() -> RingElection.named("x")
                        .health(HealthCheck.of(() -> true).whenNoneHealthy(HealthCheck.NoneHealthy.LEAD_ANYWAY)))
                .hasMessageContaining("choose NoneHealthy.NO_LEADER");
    }

    @Test
    void a_candidate_that_was_closed_can_join_again() {
        Participant a = start("a");
        pass(50);
        a.candidate.close();
        pass(50);
        assertThat(a.received).contains("lost CLOSED");
        RingCandidate again = a.election.join("a");
        pass(50);
        assertThat(again.isLeader()).isTrue();
        assertThat(again.leadership()).map(RingLeadership::counter).contains(2L);
    }

    private Participant three() {
        Participant a = start("a");
        pass(50);
        start("b");
        start("c");
        pass(1_000);
        assertThat(leaders()).containsExactly("a");
        return a;
    }

    private Participant start(String id) {
        return start(id, settings -> settings);
    }

    private Participant start(String id, RingAlgorithm algorithm) {
        return start(id, settings -> settings.algorithm(algorithm));
    }

    private Participant start(String id, UnaryOperator<RingElectionBuilder> more) {
        Membership membership = cluster.join(id);
        RingElection election = more.apply(RingElection.named("orders")
                        .membership(membership)
                        .electionTimeout(ELECTION_TIMEOUT)
                        .threads(threads))
                .open();
        var process = new Participant(membership, election, election.join(id));
        process.candidate.listen(listener(process.received));
        processes.put(id, process);
        return process;
    }

    private Participant of(String id) {
        return Optional.ofNullable(processes.get(id)).orElseThrow();
    }

    /** Returns the participant before {@code process} on the ring, in the view that contains all members. */
    private Participant predecessorOf(Participant process) {
        var all = new View(
                new ViewId(1, "test"),
                processes.values().stream().map(each -> each.membership.me()).toList());
        return of(all.before(process.membership.me()).id());
    }

    private static long term(Participant process) {
        return process.received.stream()
                .filter(line -> line.startsWith("elected "))
                .mapToLong(line -> Long.parseLong(line.substring(8)))
                .max()
                .orElse(0);
    }

    private List<String> leaders() {
        return processes.values().stream()
                .filter(each -> each.candidate.isLeader())
                .map(each -> each.candidate.id())
                .toList();
    }

    private void pass(long millis) {
        threads.pass(Duration.ofMillis(millis));
    }

    private static ElectionListener<RingLeadership> listener(List<String> received) {
        return new ElectionListener<RingLeadership>() {
            @Override
            public void elected(RingLeadership leadership) {
                received.add("elected " + leadership.counter());
            }

            @Override
            public void jeopardy(Duration remaining, String reason) {
                received.add("jeopardy");
            }

            @Override
            public void recovered() {
                received.add("recovered");
            }

            @Override
            public void lost(LossCause cause) {
                received.add("lost " + cause);
            }

            @Override
            public void leaderChanged(Optional<Leader> leader) {
                received.add("leader "
                        + leader.map(known -> known.id() + " " + known.term()).orElse("none"));
            }
        };
    }
}
