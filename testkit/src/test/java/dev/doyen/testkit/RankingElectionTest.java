package dev.doyen.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.Candidate;
import dev.doyen.Election;
import dev.doyen.HealthCheck;
import dev.doyen.Leadership;
import dev.doyen.RankingElectionBuilder;
import dev.doyen.event.Leader;
import dev.doyen.lease.Explanation.Reason;
import dev.doyen.membership.Membership;
import dev.doyen.ranking.Member;
import dev.doyen.ranking.Ranking;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Elections by ranking as a user has them, over a cluster and clocks under the test's hand. Ttl is 1 s, settling 50 ms. */
class RankingElectionTest {

    private final ManualThreads threads = new ManualThreads();
    private final FakeCluster cluster = new FakeCluster(threads);
    private final Map<String, Participant> processes = new LinkedHashMap<>();

    /** A process with its candidate. */
    private record Participant(Membership membership, Election election, Candidate candidate, Heard heard) {}

    @Test
    void the_oldest_leads_and_all_name_it() {
        three();
        for (Participant each : processes.values()) {
            assertThat(each.candidate.leader()).contains(new Leader("a", 1));
        }
        assertThat(of("a").candidate.explain().sentence()).startsWith("leads the view of 3 members, for ");
        assertThat(of("b").candidate.explain().sentence()).isEqualTo("\"a\" leads, in term 1");
        assertThat(of("b").candidate.explain().reason()).isEqualTo(Reason.HELD);
        assertThat(of("b").candidate.history()).isEmpty();
    }

    @Test
    void the_highest_priority_claims_first() {
        start("a", each -> each.priority(10));
        start("b", each -> each.priority(80));
        start("c", each -> each.priority(20));
        pass(1_000);
        assertThat(leaders()).containsExactly("b");
        cluster.kill(of("b").membership);
        pass(500);
        assertThat(leaders()).contains("c").doesNotContain("a");
    }

    @Test
    void before_anybody_leads_each_says_how_many_may_claim_before_it() {
        start("a");
        start("b");
        pass(10);
        assertThat(of("a").candidate.explain().reason()).isEqualTo(Reason.TAKING);
        assertThat(of("b").candidate.explain().reason()).isEqualTo(Reason.PREFERRED_FIRST);
        assertThat(of("b").candidate.explain().sentence())
                .isEqualTo("nobody is known to lead the view of 2 members, and 1 may claim before this member");
    }

    @Test
    void who_leads_is_not_put_out_by_whoever_comes() {
        Participant low = start("z", each -> each.priority(0));
        pass(100);
        assertThat(leaders()).containsExactly("z");
        start("a");
        start("b");
        pass(3_000);
        assertThat(leaders()).containsExactly("z");
        assertThat(low.heard.lines()).containsExactly("leader nobody", "elected 1", "leader z");
    }

    @Test
    void the_order_can_be_chosen() {
        for (String id : List.of("c", "a", "b")) {
            start(id, each -> each.order(Ranking.lowestId()));
        }
        pass(1_000);
        assertThat(leaders()).containsExactly("a");
    }

    @Test
    void the_order_can_be_ones_own() {
        Comparator<Member> longest =
                Comparator.comparingInt(member -> -member.clientId().length());
        for (String id : List.of("a", "ccc", "bb")) {
            start(id, each -> each.order(Ranking.by(longest)));
        }
        pass(1_000);
        assertThat(leaders()).containsExactly("ccc");
        cluster.kill(of("ccc").membership);
        pass(500);
        assertThat(leaders()).contains("bb");
    }

    @Test
    void who_closes_is_followed_by_the_next_though_its_membership_stays_and_answers_on() {
        Participant a = three();
        a.election.close();
        pass(200);
        assertThat(leaders()).containsExactly("b");
        assertThat(a.heard.lines()).endsWith("lost CLOSED", "leader nobody");
        assertThat(of("b").candidate.leadership()).map(Leadership::term).contains(2L);
        pass(5_000);
        assertThat(leaders()).as("its answers are needed").containsExactly("b");
        assertThatThrownBy(a.election::observe).hasMessage("election \"orders\" is closed");
    }

    @Test
    void a_leader_that_is_killed_is_followed_when_the_membership_says_so() {
        Participant a = three();
        cluster.kill(a.membership);
        pass(200);
        assertThat(leaders()).contains("b");
        assertThat(of("c").candidate.leader()).contains(new Leader("b", 2));
    }

    @Test
    void each_side_of_a_partition_has_a_leader_and_after_the_merge_one_has_stopped() {
        Participant a = three();
        cluster.partition(a.membership);
        pass(1_000);
        assertThat(leaders()).containsExactlyInAnyOrder("a", "b");
        assertThat(of("c").candidate.leader()).contains(new Leader("b", 2));
        cluster.merge();
        pass(1_000);
        assertThat(leaders()).containsExactly("b");
        assertThat(a.heard.lines()).endsWith("lost SUPERSEDED", "leader nobody", "leader b");
        assertThat(a.heard.lines())
                .filteredOn(line -> line.startsWith("elected"))
                .containsExactly("elected 1");
    }

    @Test
    void a_member_that_falls_silent_puts_the_leader_in_jeopardy_and_then_nobody_leads_until_the_view_is_without_it() {
        Participant a = three();
        cluster.vanish(of("c").membership);
        processes.remove("c");
        pass(450);
        assertThat(a.heard.lines()).endsWith("jeopardy");
        assertThat(a.candidate.explain().reason()).isEqualTo(Reason.IN_JEOPARDY);
        pass(300);
        assertThat(a.heard.lines()).endsWith("jeopardy", "lost EXPIRED", "leader nobody");
        pass(5_000);
        assertThat(leaders()).isEmpty();
        assertThat(processes.values())
                .extracting(each -> each.candidate.explain().sentence())
                .as("who has claimed says what it waits for")
                .anyMatch(sentence -> sentence.endsWith("and \"c\" has not answered yet"));
        // The next change of the view shows that it is gone.
        start("d");
        pass(1_000);
        assertThat(leaders()).hasSize(1);
    }

    @Test
    void who_hears_nobody_is_named_to_whoever_asks_why_nobody_leads() {
        Participant a = start("a");
        Membership silent = cluster.join("silent");
        pass(5_000);
        assertThat(a.candidate.explain().reason()).isEqualTo(Reason.NOT_SEEN);
        assertThat(a.candidate.explain().sentence())
                .isEqualTo("nobody can be elected before all members of the view have answered, and \"silent\" has not;"
                        + " each has to take part in this election, if only as an observer");
        open(silent, each -> each);
        pass(1_000);
        assertThat(leaders()).containsExactly("a");
    }

    @Test
    void an_answer_in_time_ends_the_doubt() {
        Participant a = three();
        cluster.drop(of("c").membership, a.membership);
        pass(450);
        cluster.dropNothing();
        pass(500);
        assertThat(a.heard.lines()).endsWith("jeopardy", "recovered");
        assertThat(leaders()).containsExactly("a");
    }

    @Test
    void who_resigns_leads_no_more_and_stands_again_after_its_cooldown() {
        Participant a = three();
        CompletableFuture<Void> done = a.candidate.resign(Duration.ofSeconds(2));
        pass(200);
        assertThat(done).isDone();
        assertThat(leaders()).containsExactly("b");
        assertThat(a.heard.lines()).endsWith("lost RESIGNED", "leader nobody", "leader b");
        cluster.kill(of("b").membership);
        cluster.kill(of("c").membership);
        pass(50);
        assertThat(a.candidate.explain().reason()).isEqualTo(Reason.STANDING_BACK);
        pass(1_500);
        assertThat(a.candidate.isLeader()).isFalse();
        pass(1_000);
        assertThat(a.candidate.isLeader()).isTrue();
    }

    @Test
    void who_resigns_without_saying_for_how_long_rests_for_the_cooldown() {
        Participant a = start("a", each -> each.cooldown(Duration.ofSeconds(3)));
        pass(100);
        a.candidate.resign();
        pass(2_900);
        assertThat(a.candidate.isLeader()).isFalse();
        pass(300);
        assertThat(a.candidate.isLeader()).isTrue();
    }

    @Test
    void who_is_paused_does_not_lead_until_it_is_resumed() {
        Participant a = three();
        a.candidate.pause();
        pass(5_000);
        assertThat(leaders()).containsExactly("b");
        assertThat(a.heard.lines()).endsWith("lost PAUSED", "leader nobody", "leader b");
        assertThat(a.candidate.explain().reason()).isEqualTo(Reason.CANDIDATE_PAUSED);
        a.candidate.resume();
        pass(100);
        of("b").candidate.pause();
        of("c").candidate.pause();
        pass(1_000);
        assertThat(leaders()).containsExactly("a");
    }

    @Test
    void who_is_not_well_does_not_lead() {
        var well = new boolean[] {false};
        Participant a =
                start("a", each -> each.health(HealthCheck.of(() -> well[0]).every(Duration.ofMillis(100))));
        pass(50);
        assertThat(a.candidate.explain().reason()).isEqualTo(Reason.UNHEALTHY);
        well[0] = true;
        pass(1_000);
        assertThat(a.candidate.isLeader()).isTrue();
        well[0] = false;
        pass(1_000);
        assertThat(a.candidate.isLeader()).isFalse();
        assertThat(a.heard.lines()).endsWith("lost UNHEALTHY", "leader nobody");
    }

    @Test
    void a_late_listener_first_hears_how_things_stand_and_then_what_happens_in_order() {
        Participant a = three();
        Heard late = new Heard();
        a.candidate.listen(late);
        pass(0);
        assertThat(late.lines()).containsExactly("leader a", "elected 1");
        a.candidate.resign(Duration.ofSeconds(60));
        pass(1_000);
        assertThat(late.lines()).containsExactly("leader a", "elected 1", "lost RESIGNED", "leader nobody", "leader b");
    }

    @Test
    void an_observer_answers_and_sees_who_leads_and_never_leads() {
        var observer = open(cluster.join("quiet"), each -> each).observe();
        pass(3_000);
        assertThat(observer.leader()).isEmpty();
        assertThat(observer.explain().reason()).isEqualTo(Reason.OBSERVING);
        start("a");
        pass(1_000);
        assertThat(observer.leader()).contains(new Leader("a", 1));
        assertThat(leaders()).containsExactly("a");
    }

    @Test
    void one_membership_carries_several_elections() {
        Membership m = cluster.join("m");
        Membership n = cluster.join("n");
        var all = new ArrayList<Candidate>();
        for (Membership each : List.of(m, n)) {
            for (String name : List.of("one", "two")) {
                int priority = each.equals(m) == name.equals("one") ? 100 : 50;
                all.add(open(name, each, one -> one.priority(priority))
                        .join(each.me().id()));
            }
        }
        pass(1_000);
        assertThat(all.stream().filter(Candidate::isLeader).map(one -> one.election() + one.id()))
                .containsExactlyInAnyOrder("onem", "twon");
    }

    @Test
    void a_ring_and_a_ranking_of_one_name_share_a_membership() {
        Participant a = three();
        var onRing = new ArrayList<Candidate>();
        for (Participant each : processes.values()) {
            onRing.add(Election.ring("orders")
                    .membership(each.membership)
                    .threads(threads)
                    .open()
                    .join(each.candidate.id()));
        }
        pass(3_000);
        assertThat(onRing.stream().filter(Candidate::isLeader)).hasSize(1);
        assertThat(leaders()).containsExactly("a");
        a.candidate.close();
        pass(1_000);
        assertThat(leaders()).containsExactly("b");
        assertThat(onRing.stream().filter(Candidate::isLeader)).hasSize(1);
    }

    @Test
    void a_process_that_stood_still_does_not_lead_when_it_wakes() {
        Participant a = start("a");
        pass(100);
        threads.standStill(Duration.ofSeconds(30));
        assertThat(a.candidate.isLeader()).isFalse();
        pass(1_000);
        assertThat(a.heard.lines()).containsSubsequence("elected 1", "lost EXPIRED", "elected 2");
    }

    @Test
    void the_end_of_the_membership_ends_leading_and_knowing() {
        Participant a = three();
        a.membership.close();
        of("c").membership.close();
        pass(500);
        assertThat(a.heard.lines()).endsWith("lost CLOSED", "leader nobody");
        assertThat(leaders()).containsExactly("b");
        assertThat(of("c").candidate.leader()).isEmpty();
        a.election.close();
    }

    @Test
    void a_candidate_that_was_closed_can_join_again() {
        Participant a = start("a");
        pass(100);
        a.candidate.close();
        pass(3_000);
        assertThat(a.heard.lines()).endsWith("lost CLOSED", "leader nobody");
        Candidate again = a.election.join("a");
        pass(100);
        assertThat(again.leadership()).map(Leadership::term).contains(2L);
    }

    private Participant three() {
        Participant a = start("a");
        start("b");
        start("c");
        pass(1_000);
        assertThat(leaders()).containsExactly("a");
        return a;
    }

    private Participant start(String id) {
        return start(id, each -> each);
    }

    private Participant start(String id, UnaryOperator<RankingElectionBuilder> settings) {
        Membership membership = cluster.join(id);
        Election election = open(membership, settings);
        Candidate candidate = election.join(id);
        Heard heard = new Heard();
        candidate.listen(heard);
        var process = new Participant(membership, election, candidate, heard);
        processes.put(id, process);
        return process;
    }

    private Election open(Membership membership, UnaryOperator<RankingElectionBuilder> settings) {
        return open("orders", membership, settings);
    }

    private Election open(String name, Membership membership, UnaryOperator<RankingElectionBuilder> settings) {
        return settings.apply(Election.ranking(name)
                        .membership(membership)
                        .ttl(Duration.ofSeconds(1))
                        .settle(Duration.ofMillis(50))
                        .threads(threads))
                .open();
    }

    private Participant of(String id) {
        return Optional.ofNullable(processes.get(id)).orElseThrow();
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
}
