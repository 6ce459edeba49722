package dev.doyen.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.Election;
import dev.doyen.LeaseCandidate;
import dev.doyen.LeaseLeadership;
import dev.doyen.election.ElectionListener;
import dev.doyen.election.LocalCandidate;
import dev.doyen.election.NotLeaderException;
import dev.doyen.event.LossCause;
import dev.doyen.event.SavedState;
import dev.doyen.store.LeaseRecord;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests {@code whileLeading} with real threads. The tests wait only for events, and each wait has a limit. */
@Timeout(180)
class WhileLeadingTest {

    private final FaultyLeaseStore store = new FaultyLeaseStore();
    private final Election election =
            Election.lease("orders").store(store).ttl(Duration.ofSeconds(2)).open();

    @AfterEach
    void close() {
        election.close();
    }

    @Test
    void the_task_runs_while_leading_and_the_lease_is_released_after_it() throws Exception {
        LeaseCandidate candidate = election.join("n1");
        var seen = new long[1];
        assertThat(candidate.whileLeading(leadership -> {
                    assertThat(leadership.isCertain()).isTrue();
                    seen[0] = leadership.term();
                }))
                .isTrue();
        assertThat(seen[0]).isEqualTo(1);
        assertThat(lastWritten().isHeld()).isFalse();
        assertThat(candidate.isLeader()).isFalse();
    }

    @Test
    void an_exception_of_the_task_reaches_the_caller_after_the_release() {
        LeaseCandidate candidate = election.join("n1");
        assertThatThrownBy(() -> candidate.whileLeading(leadership -> {
                    throw new IOException("disk full");
                }))
                .isInstanceOf(IOException.class)
                .hasMessage("disk full");
        assertThat(lastWritten().isHeld()).isFalse();
    }

    @Test
    void a_loss_interrupts_the_task_and_the_next_term_restarts_it() throws Exception {
        LeaseCandidate candidate = election.join("n1");
        BlockingQueue<Long> started = new ArrayBlockingQueue<>(10);
        var interrupted = new CountDownLatch(1);
        var work = runAsync(candidate, leadership -> {
            started.add(leadership.term());
            if (leadership.term() == 1) {
                try {
                    new CountDownLatch(1).await();
                } finally {
                    interrupted.countDown();
                }
            }
        });
        assertThat(started.poll(60, TimeUnit.SECONDS)).isEqualTo(1);
        store.fault(FaultyLeaseStore.Fault.AWAY);
        assertThat(interrupted.await(60, TimeUnit.SECONDS)).isTrue();
        store.fault(FaultyLeaseStore.Fault.NONE);
        assertThat(started.poll(60, TimeUnit.SECONDS)).isEqualTo(2);
        assertThat(work.get(60, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void a_hanging_store_does_not_delay_the_report_of_a_loss() throws Exception { // L8
        LeaseCandidate candidate = election.join("n1");
        var lost = new CountDownLatch(1);
        candidate.listen(new ElectionListener<LeaseLeadership>() {
            @Override
            public void lost(LossCause cause) {
                lost.countDown();
            }
        });
        assertThat(elected(candidate).await(60, TimeUnit.SECONDS)).isTrue();
        store.fault(FaultyLeaseStore.Fault.HANGING);
        try {
            assertThat(lost.await(60, TimeUnit.SECONDS)).isTrue();
        } finally {
            store.fault(FaultyLeaseStore.Fault.NONE);
        }
    }

    @Test
    void a_task_that_ignores_the_interrupt_delays_the_release() throws Exception { // L6
        LeaseCandidate candidate = election.join("n1");
        var running = new CountDownLatch(1);
        var stubborn = new AtomicBoolean(true);
        var mayEnd = new CountDownLatch(1);
        var work = runAsync(candidate, leadership -> {
            running.countDown();
            while (stubborn.get()) {
                try {
                    mayEnd.await();
                    stubborn.set(false);
                } catch (InterruptedException e) {
                    // The task ignores the interrupt.
                }
            }
        });
        running.await();
        CompletableFuture<Void> resigned = candidate.resign();
        LeaseCandidate other = election.join("n2");
        assertThat(elected(other).await(60, TimeUnit.SECONDS))
                .as("the other candidate leads after the expiry")
                .isTrue();
        assertThat(resigned).isNotDone();
        assertThat(store.written()).as("the lease was never released").allMatch(LeaseRecord::isHeld);
        mayEnd.countDown();
        assertThat(resigned.get(60, TimeUnit.SECONDS)).isNull();
        candidate.close();
        assertThat(work.get(60, TimeUnit.SECONDS)).isFalse();
    }

    @Test
    void a_listener_that_does_not_return_from_lost_delays_the_release() throws Exception { // L6
        LeaseCandidate candidate = election.join("n1");
        var mayReturn = new CountDownLatch(1);
        candidate.listen(new ElectionListener<LeaseLeadership>() {
            @Override
            public void lost(LossCause cause) {
                try {
                    mayReturn.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        });
        assertThat(elected(candidate).await(60, TimeUnit.SECONDS)).isTrue();
        CompletableFuture<Void> resigned = candidate.resign();
        assertThat(elected(election.join("n2")).await(60, TimeUnit.SECONDS))
                .as("the other candidate leads after the expiry")
                .isTrue();
        assertThat(resigned).isNotDone();
        assertThat(store.written()).as("the lease was never released").allMatch(LeaseRecord::isHeld);
        mayReturn.countDown();
        assertThat(resigned.get(60, TimeUnit.SECONDS)).isNull();
    }

    @Test
    void a_task_that_returns_at_expiry_has_not_finished() throws Exception {
        LeaseCandidate candidate = election.join("n1");
        BlockingQueue<Long> ended = new ArrayBlockingQueue<>(10);
        var work = runAsync(candidate, leadership -> {
            while (leadership.term() == 1 && leadership.isCertain()) {
                Thread.onSpinWait();
            }
            ended.add(leadership.term());
        });
        long start = System.nanoTime();
        while (!candidate.isLeader()
                && System.nanoTime() - start < Duration.ofSeconds(60).toNanos()) {
            Thread.onSpinWait();
        }
        store.fault(FaultyLeaseStore.Fault.AWAY);
        assertThat(ended.poll(60, TimeUnit.SECONDS)).isEqualTo(1);
        store.fault(FaultyLeaseStore.Fault.NONE);
        assertThat(ended.poll(60, TimeUnit.SECONDS)).isEqualTo(2);
        assertThat(work.get(60, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void the_next_leader_receives_the_saved_state_with_its_election() throws Exception {
        LeaseCandidate first = election.join("n1");
        first.whileLeading(leadership -> leadership.save(SavedState.ofText("row 5")));
        LeaseCandidate second = election.join("n2");
        var state = new SavedState[1];
        second.whileLeading(leadership -> state[0] = leadership.state());
        assertThat(state[0].text()).isEqualTo("row 5");
    }

    @Test
    void a_save_in_an_ended_term_throws() throws Exception {
        LeaseCandidate candidate = election.join("n1");
        var kept = new LeaseLeadership[1];
        candidate.whileLeading(leadership -> kept[0] = leadership);
        assertThatThrownBy(() -> kept[0].save(SavedState.ofText("late")))
                .isInstanceOf(NotLeaderException.class)
                .hasMessageContaining("term 1 of election \"orders\"");
        assertThatThrownBy(() -> kept[0].check()).isInstanceOf(NotLeaderException.class);
        assertThat(kept[0].remaining()).isZero();
    }

    @Test
    void closing_ends_the_task_and_whileLeading_returns_false() throws Exception {
        LeaseCandidate candidate = election.join("n1");
        var running = new CountDownLatch(1);
        var work = runAsync(candidate, leadership -> {
            running.countDown();
            new CountDownLatch(1).await();
        });
        running.await();
        candidate.close();
        assertThat(work.get(60, TimeUnit.SECONDS)).isFalse();
        assertThat(lastWritten().isHeld()).isFalse();
    }

    @Test
    void a_task_can_close_its_own_candidate() throws Exception {
        // The ttl is longer than the time limit of the test. So the test fails if {@code close} waits for the end of
        // the task that calls it.
        try (var patient = Election.lease("patient")
                .store(store)
                .ttl(Duration.ofMinutes(5))
                .open()) {
            LeaseCandidate candidate = patient.join("n1");
            candidate.whileLeading(leadership -> candidate.close());
            assertThat(candidate.whileLeading(leadership -> {})).isFalse();
        }
    }

    @Test
    void a_task_can_close_its_own_election() throws Exception { // L6
        var lost = new CompletableFuture<LossCause>();
        LeaseCandidate candidate = election.join("n1");
        candidate.listen(new ElectionListener<LeaseLeadership>() {
            @Override
            public void lost(LossCause cause) {
                lost.complete(cause);
            }
        });
        candidate.whileLeading(leadership -> election.close());
        candidate.leave().get(60, TimeUnit.SECONDS);

        assertThat(lost.get(60, TimeUnit.SECONDS)).isEqualTo(LossCause.CLOSED);
        assertThat(lastWritten().isHeld()).isFalse();
    }

    @Test
    void a_second_task_for_one_candidate_is_rejected() throws Exception {
        LeaseCandidate candidate = election.join("n1");
        candidate.whileLeading(leadership -> assertThatThrownBy(() -> candidate.whileLeading(l -> {}))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("a task is already running for candidate \"n1\""));
    }

    @Test
    void an_interrupt_of_another_thread_ends_the_wait_and_is_kept() throws Exception {
        election.join("n0").whileLeading(leadership -> {
            LeaseCandidate waiting = election.join("n1");
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> waiting.whileLeading(l -> {})).isInstanceOf(InterruptedException.class);
        });
    }

    private static CountDownLatch elected(LeaseCandidate candidate) {
        var elected = new CountDownLatch(1);
        candidate.listen(new ElectionListener<LeaseLeadership>() {
            @Override
            public void elected(LeaseLeadership leadership) {
                elected.countDown();
            }
        });
        return elected;
    }

    private LeaseRecord lastWritten() {
        List<LeaseRecord> all = store.written();
        return all.get(all.size() - 1);
    }

    private static CompletableFuture<Boolean> runAsync(
            LeaseCandidate candidate, LocalCandidate.LeaderTask<LeaseLeadership, RuntimeException> task) {
        var result = new CompletableFuture<Boolean>();
        var thread = new Thread(() -> {
            try {
                result.complete(candidate.whileLeading(task));
            } catch (InterruptedException | RuntimeException | Error e) {
                result.completeExceptionally(e);
            }
        });
        thread.setDaemon(true);
        thread.start();
        return result;
    }
}
