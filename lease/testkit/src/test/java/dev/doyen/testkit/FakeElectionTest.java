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
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
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
 * Tests the methods of {@link FakeElection}.
 *
 * <p>This class is longer than most, because {@link FakeElection} has many methods.
 */
@Timeout(180)
class FakeElectionTest {

    private final FakeElection fake = FakeElection.named("orders");

    @AfterEach
    void close() {
        fake.close();
    }

    @Test
    void no_own_candidate_leads_until_a_grant() {
        LeaseCandidate candidate = fake.election().join("n1");
        RecordedEvents received = RecordedEvents.from(candidate);
        fake.pass(Duration.ofHours(1));
        assertThat(candidate.isLeader()).isFalse();
        assertThat(candidate.leader()).contains(new Leader("somebody-else", 1));
        assertThat(received.lines()).isEmpty();
    }

    @Test
    void a_grant_is_reported_once_before_the_call_returns() { // L9
        LeaseCandidate candidate = fake.election().join("n1");
        RecordedEvents received = RecordedEvents.from(candidate);
        fake.grant();
        assertThat(received.lines()).containsExactly("leader nobody", "elected 2", "leader n1");
        assertThat(candidate.isLeader()).isTrue();
        assertThat(fake.leader()).containsSame(candidate);
        fake.grant(candidate);
        fake.pass(Duration.ofHours(1));
        assertThat(received.lines()).as("renewals are not reported").hasSize(3);
    }

    @ParameterizedTest
    @EnumSource(names = "UNHEALTHY", mode = EnumSource.Mode.EXCLUDE)
    void a_leader_loses_with_the_given_cause_and_another_follows(LossCause cause) {
        LeaseCandidate candidate = fake.election().join("n1");
        RecordedEvents received = RecordedEvents.from(candidate);
        fake.grant();
        received.lines().clear();
        fake.lose(cause);
        assertThat(received.lines().stream().filter(line -> line.startsWith("lost")))
                .containsExactly("lost " + cause);
        assertThat(candidate.isLeader()).isFalse();
        fake.pass(Duration.ofMinutes(10));
        assertThat(candidate.isLeader()).isFalse();
        if (cause != LossCause.CLOSED) {
            assertThat(candidate.leader().map(Leader::id)).contains("somebody-else");
        }
    }

    @Test
    void a_leader_cannot_be_made_unhealthy() {
        fake.election().join("n1");
        fake.grant();
        assertThatThrownBy(() -> fake.lose(LossCause.UNHEALTHY))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("cannot end a leadership by UNHEALTHY");
    }

    @ParameterizedTest
    @EnumSource(
            names = {"UNHEALTHY", "CLOSED", "PAUSED"},
            mode = EnumSource.Mode.EXCLUDE)
    void a_former_leader_can_be_granted_a_higher_term(LossCause cause) {
        LeaseCandidate candidate = fake.election().join("n1");
        fake.grant();
        long before = candidate.leadership().orElseThrow().term();
        fake.lose(cause);
        fake.grant();
        assertThat(candidate.leadership().orElseThrow().term()).isGreaterThan(before);
    }

    @Test
    void a_suspended_leader_loses_its_term_after_its_return() {
        LeaseCandidate candidate = fake.election().join("n1");
        for (int i = 2; i <= 20; i++) {
            fake.election().join("n" + i);
            // With this odd delay between the joins, no two candidates poll at the same time, and no poll is at a
            // whole millisecond.
            fake.pass(Duration.ofNanos(1_234_567));
        }
        fake.grant(candidate);
        fake.lose(LossCause.SUSPENDED);
        assertThat(candidate.isLeader()).isFalse();
    }

    @Test
    void a_candidate_with_a_long_cooldown_can_take_over() {
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
    void a_cooldown_longer_than_the_ttl_is_waited_for() {
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
    void a_closed_candidate_cannot_be_granted() {
        fake.election().join("n1").close();
        LeaseCandidate again = fake.election().join("n1");
        fake.grant();
        assertThat(again.isLeader()).isTrue();
    }

    @Test
    void a_reset_restores_the_initial_state() {
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
    void a_reset_removes_the_saved_state_and_the_history() throws Exception {
        LeaseCandidate candidate = fake.election().join("n1");
        fake.grant();
        candidate.leadership().orElseThrow().save(SavedState.ofText("row 5"));
        fake.lose(LossCause.RESIGNED);
        fake.beginAnew();
        fake.grant();
        assertThat(candidate.leadership().orElseThrow().state().isEmpty()).isTrue();
        assertThat(candidate.history()).isEmpty();
    }

    @Test
    void no_other_candidate_leads_during_a_reset() {
        LeaseCandidate first = fake.election().join("n1");
        LeaseCandidate second = fake.election().join("n2");
        fake.letRun();
        fake.pass(Duration.ofSeconds(6));
        LeaseCandidate other = first.isLeader() ? second : first;
        RecordedEvents received = RecordedEvents.from(other);
        fake.beginAnew();
        assertThat(received.lines()).noneMatch(line -> line.startsWith("elected"));
    }

    @Test
    void a_closed_fake_is_garbage() throws Exception {
        var collected = new ReferenceQueue<LeaseCandidate>();
        WeakReference<LeaseCandidate> candidate = candidateOfClosedFake(collected);
        for (int i = 0; i < 100 && collected.remove(100) == null; i++) {
            System.gc();
        }
        assertThat(candidate.get())
                .as("the garbage collector has removed the candidate")
                .isNull();
    }

    private static WeakReference<LeaseCandidate> candidateOfClosedFake(ReferenceQueue<LeaseCandidate> collected) {
        try (FakeElection closed = FakeElection.named("orders")) {
            LeaseCandidate candidate = closed.election().join("n1");
            closed.grant();
            return new WeakReference<>(candidate, collected);
        }
    }

    @Test
    void a_paused_candidate_is_not_elected_until_it_resumes() {
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
    void the_rival_that_takes_over_is_reported() {
        LeaseCandidate candidate = fake.election().join("n1");
        RecordedEvents received = RecordedEvents.from(candidate);
        fake.grant();
        received.lines().clear();
        fake.loseTo("n7");
        assertThat(received.lines()).containsExactly("lost SUPERSEDED", "leader n7");
        assertThat(candidate.leader()).contains(new Leader("n7", 3));
    }

    @Test
    void jeopardy_precedes_a_loss_and_can_be_recovered() {
        LeaseCandidate candidate = fake.election().join("n1");
        RecordedEvents received = RecordedEvents.from(candidate);
        fake.grant();
        received.lines().clear();
        fake.jeopardy();
        assertThat(received.lines()).containsExactly("jeopardy");
        assertThat(candidate.isLeader()).as("the candidate still leads").isTrue();
        fake.recover();
        assertThat(received.lines()).containsExactly("jeopardy", "recovered");
        fake.jeopardy();
        fake.pass(Duration.ofSeconds(8));
        assertThat(received.lines()).startsWith("jeopardy", "recovered", "jeopardy", "lost EXPIRED");
    }

    @Test
    void a_lease_expires_in_virtual_time_to_the_millisecond() { // L1
        LeaseCandidate candidate = fake.election().join("n1");
        fake.grant();
        fake.storeUnavailable();
        fake.pass(Duration.ofMillis(7_999));
        assertThat(candidate.isLeader()).isTrue();
        assertThat(candidate.leadership().orElseThrow().remaining()).isEqualTo(Duration.ofMillis(1));
        fake.pass(Duration.ofMillis(1));
        assertThat(candidate.isLeader()).isFalse();
    }

    @Test
    void a_grant_of_another_candidate_makes_the_leader_hand_over() {
        LeaseCandidate first = fake.election().join("n1");
        LeaseCandidate second = fake.election().join("n2");
        LeaseCandidate third = fake.election().join("n3");
        fake.grant(first);
        RecordedEvents received = RecordedEvents.from(first);
        received.lines().clear();
        fake.grant(third);
        assertThat(received.lines()).containsExactly("lost TRANSFERRED", "leader n3");
        assertThat(third.isLeader()).isTrue();
        assertThat(second.isLeader()).isFalse();
        assertThat(second.leader().map(Leader::id)).contains("n3");
    }

    @Test
    void a_disconnected_leader_is_replaced_after_the_ttl() { // L2, L3
        LeaseCandidate first = fake.election().join("n1");
        LeaseCandidate second = fake.election().join("n2");
        fake.grant(first);
        fake.storeUnavailable(first);
        fake.pass(Duration.ofSeconds(8));
        assertThat(first.isLeader()).isFalse();
        assertThat(second.isLeader())
                .as("the second candidate waits for the whole ttl")
                .isFalse();
        fake.pass(Duration.ofSeconds(3));
        assertThat(second.isLeader()).isTrue();
        fake.storeAvailable();
        fake.pass(Duration.ofSeconds(2));
        assertThat(first.leader().map(Leader::id)).contains("n2");
    }

    @Test
    void a_frozen_leader_is_replaced_and_loses_its_term_after_its_return() { // L4, L5
        LeaseCandidate first = fake.election().join("n1");
        LeaseCandidate second = fake.election().join("n2");
        fake.grant(first);
        RecordedEvents received = RecordedEvents.from(first);
        received.lines().clear();
        fake.freeze(first, Duration.ofSeconds(11));
        assertThat(received.lines()).contains("lost EXPIRED");
        assertThat(second.isLeader()).isTrue();
        assertThat(second.leadership().orElseThrow().term()).isEqualTo(3);
    }

    @Test
    void a_frozen_process_runs_nothing_until_it_continues() {
        LeaseCandidate first = fake.election().join("n1");
        LeaseCandidate second = fake.election().join("n2");
        fake.grant(first);
        RecordedEvents received = RecordedEvents.from(first);
        received.lines().clear();
        List<List<String>> receivedByFirst = new ArrayList<>();
        second.listen(new ElectionListener<LeaseLeadership>() {
            @Override
            public void elected(LeaseLeadership leadership) {
                receivedByFirst.add(List.copyOf(received.lines()));
            }
        });
        fake.freeze(first, Duration.ofSeconds(11));
        assertThat(receivedByFirst)
                .as("the frozen process has received nothing before the election")
                .containsExactly(List.of());
        assertThat(received.lines()).startsWith("lost EXPIRED");
    }

    @Test
    void a_suspension_is_reported() { // L4
        LeaseCandidate first = fake.election().join("n1");
        fake.grant();
        RecordedEvents received = RecordedEvents.from(first);
        received.lines().clear();
        fake.suspend(first, Duration.ofSeconds(30));
        assertThat(received.lines().get(0)).isEqualTo("lost SUSPENDED");
        fake.grant();
        fake.pass(Duration.ofMinutes(1));
        assertThat(first.isLeader())
                .as("the process continues although its clock is behind")
                .isTrue();
    }

    @Test
    void the_candidates_elect_without_grants_if_allowed() {
        LeaseCandidate first = fake.election().join("n1");
        LeaseCandidate second = fake.election().join("n2");
        fake.letRun();
        fake.pass(Duration.ofSeconds(6));
        assertThat(List.of(first.isLeader(), second.isLeader())).containsExactlyInAnyOrder(true, false);
        LeaseCandidate leader = fake.leader().orElseThrow();
        LeaseCandidate other = leader.equals(first) ? second : first;
        leader.resign();
        assertThat(other.isLeader())
                .as("the other candidate leads when the call returns")
                .isTrue();
    }

    @Test
    void a_save_is_stored_when_it_returns_and_is_received_by_the_next_leader() throws Exception {
        LeaseCandidate first = fake.election().join("n1");
        LeaseCandidate second = fake.election().join("n2");
        fake.grant(first);
        first.leadership().orElseThrow().save(SavedState.ofText("row 5"));
        fake.grant(second);
        assertThat(second.leadership().orElseThrow().state().text()).isEqualTo("row 5");
    }

    @Test
    void a_callback_can_save_and_resign() throws Exception {
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
        fake.storeUnavailable();
        var save = new CompletableFuture<Throwable>();
        var thread = new Thread(() -> {
            try {
                leadership.save(SavedState.ofText("never"));
                save.complete(new AssertionError("the save returned"));
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
        // The task runs in a second thread, so a race between the threads occurs only in some terms. Therefore the
        // test runs 100 terms.
        for (int i = 0; i < 100; i++) {
            fake.grant();
            assertThat(started.poll(60, TimeUnit.SECONDS)).as("round " + i).isNotNull();
            fake.storeUnavailable();
            fake.lose(LossCause.EXPIRED);
        }
        candidate.close();
        assertThat(outcome.get(60, TimeUnit.SECONDS)).isFalse();
        worker.join();
    }

    @Test
    void writes_whose_answers_are_lost_are_stored() {
        LeaseCandidate candidate = fake.election().join("n1");
        fake.grant();
        int before = fake.written().size();
        fake.answersLost();
        fake.pass(Duration.ofSeconds(4));
        assertThat(fake.written()).hasSizeGreaterThan(before);
        fake.storeAvailable();
        fake.pass(Duration.ofSeconds(4));
        assertThat(candidate.isLeader()).as("the nonce confirms the renewals").isTrue();
    }

    @Test
    void a_task_in_its_own_thread_is_interrupted_and_restarted() throws Exception { // L6
        LeaseCandidate candidate = fake.election().join("n1");
        BlockingQueue<String> messages = new ArrayBlockingQueue<>(10);
        var worker = new Thread(() -> {
            try {
                candidate.whileLeading(leadership -> {
                    messages.add("started in " + leadership.term());
                    try {
                        new CountDownLatch(1).await();
                    } finally {
                        messages.add("stopped");
                    }
                });
                messages.add("returned");
            } catch (InterruptedException e) {
                messages.add("interrupted by others");
            }
        });
        worker.start();
        fake.grant();
        assertThat(messages.poll(60, TimeUnit.SECONDS)).isEqualTo("started in 2");
        fake.lose(LossCause.RESIGNED);
        assertThat(messages.poll()).as("the task has stopped when lose returns").isEqualTo("stopped");
        fake.grant();
        assertThat(messages.poll(60, TimeUnit.SECONDS)).isEqualTo("started in 4");
        candidate.close();
        assertThat(messages.poll(60, TimeUnit.SECONDS)).isEqualTo("stopped");
        assertThat(messages.poll(60, TimeUnit.SECONDS)).isEqualTo("returned");
        worker.join();
    }

    @Test
    void a_callback_can_wait_for_a_task_that_saves_in_its_own_thread() throws Exception {
        LeaseCandidate candidate = fake.election().join("n1");
        var saved = new CountDownLatch(1);
        BlockingQueue<String> messages = new ArrayBlockingQueue<>(10);
        candidate.listen(new ElectionListener<LeaseLeadership>() {
            @Override
            public void elected(LeaseLeadership leadership) {
                try {
                    messages.add(saved.await(60, TimeUnit.SECONDS) ? "the task has saved" : "the task hangs");
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
                messages.add("interrupted");
            }
        });
        worker.start();
        fake.grant();
        assertThat(messages.poll(60, TimeUnit.SECONDS)).isEqualTo("the task has saved");
        worker.join();
    }

    @Test
    void the_leader_can_step_down_on_request_and_the_election_can_be_paused() {
        LeaseCandidate candidate = fake.election().join("n1");
        RecordedEvents received = RecordedEvents.from(candidate);
        fake.grant();
        received.lines().clear();
        fake.election().control("an operator").resign("maintenance");
        fake.pass(Duration.ofSeconds(2));
        assertThat(received.lines()).contains("lost RESIGNED");
        fake.grant();
        fake.election().control("an operator").pause("maintenance");
        fake.pass(Duration.ofSeconds(20));
        assertThat(candidate.isLeader()).isFalse();
        assertThat(candidate.leader()).as("no other candidate leads").isEmpty();
    }

    @Test
    void a_command_without_a_candidate_is_an_error_with_a_remedy() {
        assertThatThrownBy(() -> fake.grant())
                .hasMessage("election \"orders\" has 0 candidates; join exactly one, or pass the candidate that must"
                        + " lead");
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
    void two_fakes_with_one_name_are_two_elections() {
        try (FakeElection other = FakeElection.named("orders")) {
            LeaseCandidate here = fake.election().join("n1");
            LeaseCandidate there = other.election().join("n1");
            fake.grant();
            assertThat(here.isLeader()).isTrue();
            assertThat(there.isLeader()).isFalse();
        }
    }

    @Test
    void a_closed_fake_accepts_no_candidate() {
        fake.election().close();
        assertThatThrownBy(() -> fake.election().join("n1")).hasMessage("election \"orders\" is closed");
    }
}
