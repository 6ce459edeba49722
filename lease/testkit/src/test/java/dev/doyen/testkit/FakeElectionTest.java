package dev.doyen.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.LeaseCandidate;
import dev.doyen.LeaseLeadership;
import dev.doyen.election.ElectionListener;
import dev.doyen.election.LeaseTiming;
import dev.doyen.election.NotLeaderException;
import dev.doyen.event.Leader;
import dev.doyen.event.LossCause;
import dev.doyen.event.SavedState;
import dev.doyen.store.LeaseRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests everything that a test can do with a fake election.
 *
 * <p>Longer than most classes, because it keeps these cases together.
 */
@Timeout(180)
class FakeElectionTest {

    private final FakeElection fake = FakeElection.named("orders");

    @AfterEach
    void close() {
        fake.close();
    }

    @Test
    void nobody_of_ours_leads_until_it_is_granted_however_much_time_passes() {
        LeaseCandidate candidate = fake.election().join("n1");
        RecordedEvents heard = RecordedEvents.from(candidate);
        fake.pass(Duration.ofHours(1));
        assertThat(candidate.isLeader()).isFalse();
        assertThat(candidate.leader()).contains(new Leader("somebody-else", 1));
        assertThat(heard.lines()).isEmpty();
    }

    @Test
    void a_grant_is_told_when_the_call_returns_and_once() { // L9
        LeaseCandidate candidate = fake.election().join("n1");
        RecordedEvents heard = RecordedEvents.from(candidate);
        fake.grant();
        assertThat(heard.lines()).containsExactly("leader nobody", "elected 2", "leader n1");
        assertThat(candidate.isLeader()).isTrue();
        assertThat(fake.leader()).containsSame(candidate);
        fake.grant(candidate);
        fake.pass(Duration.ofHours(1));
        assertThat(heard.lines()).as("and it goes on renewing").hasSize(3);
    }

    @ParameterizedTest
    @EnumSource(names = "UNHEALTHY", mode = EnumSource.Mode.EXCLUDE)
    void a_leader_loses_for_the_reason_it_is_told_to_and_somebody_else_follows(LossCause cause) {
        LeaseCandidate candidate = fake.election().join("n1");
        RecordedEvents heard = RecordedEvents.from(candidate);
        fake.grant();
        heard.lines().clear();
        fake.lose(cause);
        assertThat(heard.lines().stream().filter(line -> line.startsWith("lost")))
                .containsExactly("lost " + cause);
        assertThat(candidate.isLeader()).isFalse();
        fake.pass(Duration.ofMinutes(10));
        assertThat(candidate.isLeader()).isFalse();
        if (cause != LossCause.CLOSED) {
            assertThat(candidate.leader().map(Leader::id)).contains("somebody-else");
        }
    }

    @Test
    void a_leader_is_not_told_to_be_unhealthy() {
        fake.election().join("n1");
        fake.grant();
        assertThatThrownBy(() -> fake.lose(LossCause.UNHEALTHY))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("cannot be told to end a leadership by UNHEALTHY");
    }

    @ParameterizedTest
    @EnumSource(
            names = {"UNHEALTHY", "CLOSED", "PAUSED"},
            mode = EnumSource.Mode.EXCLUDE)
    void who_lost_may_be_granted_again_under_a_higher_term(LossCause cause) {
        LeaseCandidate candidate = fake.election().join("n1");
        fake.grant();
        long before = candidate.leadership().orElseThrow().term();
        fake.lose(cause);
        fake.grant();
        assertThat(candidate.leadership().orElseThrow().term()).isGreaterThan(before);
    }

    @Test
    void a_suspended_leader_loses_however_many_timers_fell_due_in_its_sleep() {
        LeaseCandidate candidate = fake.election().join("n1");
        for (int i = 2; i <= 20; i++) {
            fake.election().join("n" + i);
            // So that no two candidates poll at the same time, or at a whole millisecond.
            fake.pass(Duration.ofNanos(1_234_567));
        }
        fake.grant(candidate);
        fake.lose(LossCause.SUSPENDED);
        assertThat(candidate.isLeader()).isFalse();
    }

    @Test
    void who_stands_back_for_long_may_take_over_from_another() {
        LeaseCandidate first = fake.election().join("n1");
        LeaseCandidate second = fake.election().join("n2");
        fake.grant(first);
        first.resign(Duration.ofMinutes(30)).join();
        fake.grant(second);
        fake.grant(first);
        assertThat(first.isLeader()).isTrue();
        assertThat(second.isLeader()).isFalse();
    }

    @Test
    void a_cooldown_longer_than_the_lease_is_waited_for() {
        LeaseTiming patient = LeaseTiming.ofTtl(Duration.ofSeconds(1)).withResignCooldown(Duration.ofMinutes(10));
        try (var slow = FakeElection.named("slow", patient)) {
            LeaseCandidate candidate = slow.election().join("n1");
            slow.grant();
            slow.lose(LossCause.RESIGNED);
            slow.grant();
            assertThat(candidate.isLeader()).isTrue();
        }
    }

    @Test
    void who_has_left_is_no_candidate_any_more() {
        fake.election().join("n1").close();
        LeaseCandidate again = fake.election().join("n1");
        fake.grant();
        assertThat(again.isLeader()).isTrue();
    }

    @Test
    void it_begins_anew_after_whatever_was_done_to_it() {
        LeaseCandidate first = fake.election().join("n1");
        LeaseCandidate second = fake.election().join("n2");
        fake.grant(first);
        fake.lose(LossCause.PAUSED);
        fake.grant(second);
        fake.answersLost();
        fake.election().control("operator").pause("for this test");
        fake.beginAnew();
        assertThat(fake.leader()).isEmpty();
        fake.pass(Duration.ofMinutes(10));
        assertThat(second.leader().map(Leader::id)).contains("somebody-else");
        fake.grant(first);
        fake.loseTo("n7");
        fake.letRun();
        fake.beginAnew();
        fake.pass(Duration.ofMinutes(10));
        assertThat(first.leader().map(Leader::id)).contains("somebody-else");
        fake.grant(first);
        assertThat(first.isLeader()).isTrue();
    }

    @Test
    void who_was_paused_is_not_elected_until_it_resumes() {
        LeaseCandidate candidate = fake.election().join("n1");
        fake.grant();
        fake.lose(LossCause.PAUSED);
        assertThatThrownBy(fake::grant)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("candidate \"n1\" was not elected; it explains: ");
        candidate.resume();
        fake.grant();
        assertThat(candidate.isLeader()).isTrue();
    }

    @Test
    void the_one_who_takes_over_is_named() {
        LeaseCandidate candidate = fake.election().join("n1");
        RecordedEvents heard = RecordedEvents.from(candidate);
        fake.grant();
        heard.lines().clear();
        fake.loseTo("n7");
        assertThat(heard.lines()).containsExactly("lost SUPERSEDED", "leader n7");
        assertThat(candidate.leader()).contains(new Leader("n7", 3));
    }

    @Test
    void jeopardy_comes_before_the_loss_and_may_be_recovered_from() {
        LeaseCandidate candidate = fake.election().join("n1");
        RecordedEvents heard = RecordedEvents.from(candidate);
        fake.grant();
        heard.lines().clear();
        fake.jeopardy();
        assertThat(heard.lines()).containsExactly("jeopardy");
        assertThat(candidate.isLeader()).as("still, and safely so").isTrue();
        fake.recover();
        assertThat(heard.lines()).containsExactly("jeopardy", "recovered");
        fake.jeopardy();
        fake.pass(Duration.ofSeconds(8));
        assertThat(heard.lines()).startsWith("jeopardy", "recovered", "jeopardy", "lost EXPIRED");
    }

    @Test
    void a_lease_runs_out_in_virtual_time_to_the_millisecond() { // L1
        LeaseCandidate candidate = fake.election().join("n1");
        fake.grant();
        fake.storeAway();
        fake.pass(Duration.ofMillis(7_999));
        assertThat(candidate.isLeader()).isTrue();
        assertThat(candidate.leadership().orElseThrow().remaining()).isEqualTo(Duration.ofMillis(1));
        fake.pass(Duration.ofMillis(1));
        assertThat(candidate.isLeader()).isFalse();
    }

    @Test
    void one_hands_over_to_the_other_when_that_is_granted() {
        LeaseCandidate first = fake.election().join("n1");
        LeaseCandidate second = fake.election().join("n2");
        LeaseCandidate third = fake.election().join("n3");
        fake.grant(first);
        RecordedEvents heard = RecordedEvents.from(first);
        heard.lines().clear();
        fake.grant(third);
        assertThat(heard.lines()).containsExactly("lost TRANSFERRED", "leader n3");
        assertThat(third.isLeader()).isTrue();
        assertThat(second.isLeader()).isFalse();
        assertThat(second.leader().map(Leader::id)).contains("n3");
    }

    @Test
    void a_candidate_that_is_cut_off_is_followed_by_the_other_after_the_ttl() { // L2, L3
        LeaseCandidate first = fake.election().join("n1");
        LeaseCandidate second = fake.election().join("n2");
        fake.grant(first);
        fake.storeAway(first);
        fake.pass(Duration.ofSeconds(8));
        assertThat(first.isLeader()).isFalse();
        assertThat(second.isLeader()).as("not before the whole ttl").isFalse();
        fake.pass(Duration.ofSeconds(3));
        assertThat(second.isLeader()).isTrue();
        fake.storeBack();
        fake.pass(Duration.ofSeconds(2));
        assertThat(first.leader().map(Leader::id)).contains("n2");
    }

    @Test
    void a_frozen_leader_finds_itself_lost_and_was_replaced_meanwhile() { // L4, L5
        LeaseCandidate first = fake.election().join("n1");
        LeaseCandidate second = fake.election().join("n2");
        fake.grant(first);
        RecordedEvents heard = RecordedEvents.from(first);
        heard.lines().clear();
        fake.freeze(first, Duration.ofSeconds(11));
        assertThat(heard.lines()).contains("lost EXPIRED");
        assertThat(second.isLeader()).isTrue();
        assertThat(second.leadership().orElseThrow().term()).isEqualTo(3);
    }

    @Test
    void nothing_of_a_frozen_process_runs_and_what_fell_due_is_made_up_for() {
        LeaseCandidate first = fake.election().join("n1");
        LeaseCandidate second = fake.election().join("n2");
        fake.grant(first);
        RecordedEvents heard = RecordedEvents.from(first);
        heard.lines().clear();
        List<List<String>> heardByFirst = new ArrayList<>();
        second.listen(new ElectionListener<LeaseLeadership>() {
            @Override
            public void elected(LeaseLeadership leadership) {
                heardByFirst.add(List.copyOf(heard.lines()));
            }
        });
        fake.freeze(first, Duration.ofSeconds(11));
        assertThat(heardByFirst).as("when the second was elected").containsExactly(List.of());
        assertThat(heard.lines()).startsWith("lost EXPIRED");
    }

    @Test
    void a_machine_that_slept_says_so() { // L4
        LeaseCandidate first = fake.election().join("n1");
        fake.grant();
        RecordedEvents heard = RecordedEvents.from(first);
        heard.lines().clear();
        fake.suspend(first, Duration.ofSeconds(30));
        assertThat(heard.lines().get(0)).isEqualTo("lost SUSPENDED");
        fake.grant();
        fake.pass(Duration.ofMinutes(1));
        assertThat(first.isLeader()).as("it lives on with its clock behind").isTrue();
    }

    @Test
    void once_let_run_the_candidates_elect_by_themselves() {
        LeaseCandidate first = fake.election().join("n1");
        LeaseCandidate second = fake.election().join("n2");
        fake.letRun();
        fake.pass(Duration.ofSeconds(6));
        assertThat(List.of(first.isLeader(), second.isLeader())).containsExactlyInAnyOrder(true, false);
        LeaseCandidate leader = fake.leader().orElseThrow();
        LeaseCandidate other = leader.equals(first) ? second : first;
        leader.resign();
        assertThat(other.isLeader()).as("when the call returned").isTrue();
    }

    @Test
    void a_save_is_stored_when_it_returns_and_reaches_the_next_leader() throws Exception {
        LeaseCandidate first = fake.election().join("n1");
        LeaseCandidate second = fake.election().join("n2");
        fake.grant(first);
        first.leadership().orElseThrow().save(SavedState.ofText("row 5"));
        fake.grant(second);
        assertThat(second.leadership().orElseThrow().state().text()).isEqualTo("row 5");
    }

    @Test
    void a_callback_may_save_and_resign() throws Exception {
        LeaseCandidate candidate = fake.election().join("n1");
        List<String> seen = new ArrayList<>();
        candidate.listen(new ElectionListener<LeaseLeadership>() {
            @Override
            public void elected(LeaseLeadership leadership) {
                try {
                    leadership.save(SavedState.ofText("begun"));
                    seen.add("saved");
                    candidate.resign();
                    seen.add(leadership.isCertain() ? "leads" : "has resigned");
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }

            @Override
            public void lost(LossCause cause) {
                seen.add("lost " + cause);
            }
        });
        fake.grant();
        assertThat(candidate.isLeader()).isFalse();
        assertThat(seen).containsExactly("saved", "has resigned", "lost RESIGNED");
        assertThat(fake.written().stream().map(LeaseRecord::state).filter(state -> !state.isEmpty()))
                .isNotEmpty();
    }

    @Test
    void a_save_that_is_never_answered_ends_with_the_term() throws Exception { // L7
        LeaseCandidate candidate = fake.election().join("n1");
        fake.grant();
        LeaseLeadership leadership = candidate.leadership().orElseThrow();
        fake.storeAway();
        var save = new CompletableFuture<Throwable>();
        var thread = new Thread(() -> {
            try {
                leadership.save(SavedState.ofText("never"));
                save.complete(new AssertionError("it returned"));
            } catch (InterruptedException | RuntimeException e) {
                save.complete(e);
            }
        });
        thread.start();
        fake.pass(Duration.ofSeconds(8));
        assertThat(save.get(60, TimeUnit.SECONDS)).isInstanceOf(NotLeaderException.class);
        assertThat(fake.written()).allMatch(record -> record.state().isEmpty());
    }

    @Test
    void a_task_whose_save_ends_with_the_term_has_lost_and_has_not_failed() throws Exception { // L6
        LeaseCandidate candidate = fake.election().join("n1");
        BlockingQueue<Long> started = new ArrayBlockingQueue<>(10);
        var outcome = new CompletableFuture<Boolean>();
        var worker = new Thread(() -> {
            try {
                outcome.complete(candidate.whileLeading(leadership -> {
                    started.add(leadership.term());
                    leadership.save(SavedState.ofText("never"));
                    new CountDownLatch(1).await();
                }));
            } catch (InterruptedException | RuntimeException e) {
                outcome.completeExceptionally(e);
            }
        });
        worker.start();
        // The test detects a wrong order of two steps only sometimes, because another thread runs too. Hence 100 terms.
        for (int i = 0; i < 100; i++) {
            fake.grant();
            assertThat(started.poll(60, TimeUnit.SECONDS)).as("round " + i).isNotNull();
            fake.storeAway();
            fake.lose(LossCause.EXPIRED);
        }
        candidate.close();
        assertThat(outcome.get(60, TimeUnit.SECONDS)).isFalse();
        worker.join();
    }

    @Test
    void writes_whose_answers_get_lost_are_stored_all_the_same() {
        LeaseCandidate candidate = fake.election().join("n1");
        fake.grant();
        int before = fake.written().size();
        fake.answersLost();
        fake.pass(Duration.ofSeconds(4));
        assertThat(fake.written()).hasSizeGreaterThan(before);
        fake.storeBack();
        fake.pass(Duration.ofSeconds(4));
        assertThat(candidate.isLeader()).as("healed by the nonce").isTrue();
    }

    @Test
    void a_task_in_a_thread_of_its_own_starts_is_interrupted_and_starts_anew() throws Exception { // L6
        LeaseCandidate candidate = fake.election().join("n1");
        BlockingQueue<String> said = new ArrayBlockingQueue<>(10);
        var worker = new Thread(() -> {
            try {
                candidate.whileLeading(leadership -> {
                    said.add("started in " + leadership.term());
                    try {
                        new CountDownLatch(1).await();
                    } finally {
                        said.add("stopped");
                    }
                });
                said.add("returned");
            } catch (InterruptedException e) {
                said.add("interrupted by others");
            }
        });
        worker.start();
        fake.grant();
        assertThat(said.poll(60, TimeUnit.SECONDS)).isEqualTo("started in 2");
        fake.lose(LossCause.RESIGNED);
        assertThat(said.poll()).as("there when lose returned").isEqualTo("stopped");
        fake.grant();
        assertThat(said.poll(60, TimeUnit.SECONDS)).isEqualTo("started in 4");
        candidate.close();
        assertThat(said.poll(60, TimeUnit.SECONDS)).isEqualTo("stopped");
        assertThat(said.poll(60, TimeUnit.SECONDS)).isEqualTo("returned");
        worker.join();
    }

    @Test
    void a_callback_may_wait_for_a_task_that_saves_in_its_own_thread() throws Exception {
        LeaseCandidate candidate = fake.election().join("n1");
        var saved = new CountDownLatch(1);
        BlockingQueue<String> said = new ArrayBlockingQueue<>(10);
        candidate.listen(new ElectionListener<LeaseLeadership>() {
            @Override
            public void elected(LeaseLeadership leadership) {
                try {
                    said.add(saved.await(60, TimeUnit.SECONDS) ? "the task has saved" : "the task hangs");
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }
        });
        var worker = new Thread(() -> {
            try {
                candidate.whileLeading(leadership -> {
                    leadership.save(SavedState.ofText("x"));
                    saved.countDown();
                });
            } catch (InterruptedException e) {
                said.add("interrupted");
            }
        });
        worker.start();
        fake.grant();
        assertThat(said.poll(60, TimeUnit.SECONDS)).isEqualTo("the task has saved");
        worker.join();
    }

    @Test
    void an_operator_may_ask_the_leader_to_step_down_and_pause_the_election() {
        LeaseCandidate candidate = fake.election().join("n1");
        RecordedEvents heard = RecordedEvents.from(candidate);
        fake.grant();
        heard.lines().clear();
        fake.election().control("an operator").resign("maintenance");
        fake.pass(Duration.ofSeconds(2));
        assertThat(heard.lines()).contains("lost RESIGNED");
        fake.grant();
        fake.election().control("an operator").pause("maintenance");
        fake.pass(Duration.ofSeconds(20));
        assertThat(candidate.isLeader()).isFalse();
        assertThat(candidate.leader()).as("not even by somebody else").isEmpty();
    }

    @Test
    void to_direct_nobody_is_an_error_with_a_remedy() {
        assertThatThrownBy(() -> fake.grant())
                .hasMessage("election \"orders\" has 0 candidates; join one, or say which one is to lead");
        assertThatThrownBy(() -> fake.lose(LossCause.EXPIRED))
                .hasMessage("no candidate of election \"orders\" leads; grant one the leadership first");
        LeaseCandidate closed = fake.election().join("n1");
        closed.close();
        assertThatThrownBy(() -> fake.grant(closed)).hasMessageContaining("it explains: closed");
        try (FakeElection other = FakeElection.named("orders")) {
            LeaseCandidate stranger = other.election().join("n1");
            assertThatThrownBy(() -> fake.grant(stranger)).hasMessageContaining("did not join this fake election");
        }
    }

    @Test
    void two_fakes_of_one_name_are_two_elections() {
        try (FakeElection other = FakeElection.named("orders")) {
            LeaseCandidate here = fake.election().join("n1");
            LeaseCandidate there = other.election().join("n1");
            fake.grant();
            assertThat(here.isLeader()).isTrue();
            assertThat(there.isLeader()).isFalse();
        }
    }

    @Test
    void what_is_closed_is_joined_by_nobody() {
        fake.election().close();
        assertThatThrownBy(() -> fake.election().join("n1")).hasMessage("election \"orders\" is closed");
    }
}
