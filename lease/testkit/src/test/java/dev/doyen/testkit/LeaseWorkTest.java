package dev.doyen.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.Election;
import dev.doyen.LeaseCandidate;
import dev.doyen.LeaseLeadership;
import dev.doyen.election.ElectionListener;
import dev.doyen.election.HealthCheck;
import dev.doyen.election.Threads;
import dev.doyen.event.Leader;
import dev.doyen.event.SavedState;
import dev.doyen.store.LeaseRecord;
import dev.doyen.testkit.FaultyLeaseStore.Fault;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests how the work of a leader ends, and when the calls of a candidate return. The test moves the clock. */
class LeaseWorkTest {

    private static final Duration TTL = Duration.ofSeconds(10);

    private final ManualThreads threads = new ManualThreads();
    private final FaultyLeaseStore store = new FaultyLeaseStore();
    private final AtomicInteger checks = new AtomicInteger();
    private boolean clocksFail;
    private final Election election = Election.lease("orders")
            .store(store)
            .ttl(TTL)
            .threads(threads, () -> 7)
            .health(HealthCheck.of(() -> checks.incrementAndGet() > 0))
            .open();
    private final LeaseCandidate candidate = election.join("n1");

    @AfterEach
    void clearInterrupt() {
        Thread.interrupted();
    }

    @Test
    void close_returns_after_the_release() { // L6
        leads();
        candidate.close();
        assertThat(isHeld()).isFalse();
    }

    @Test
    void a_closed_election_has_released_its_lease() { // L6
        leads();
        election.close();
        assertThat(isHeld()).isFalse();
    }

    @Test
    void close_by_an_interrupted_thread_does_not_wait_and_the_interrupt_stays() {
        leads();
        Thread.currentThread().interrupt();
        candidate.close();
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void the_health_of_a_closed_candidate_is_not_checked() {
        leads();
        candidate.close();
        threads.settle();
        int before = checks.get();
        threads.pass(Duration.ofMinutes(1));
        assertThat(checks).hasValue(before);
    }

    @Test
    void a_closed_candidate_runs_no_task() throws Exception {
        candidate.close();
        assertThat(candidate.whileLeading(leadership -> {
                    throw new AssertionError("the candidate leads");
                }))
                .isFalse();
    }

    @Test
    void a_request_is_done_after_the_release() {
        leads();
        CompletableFuture<Void> resigned = candidate.resign();
        assertThat(resigned).isNotDone();
        store.fault(Fault.AWAY);
        threads.settle();
        assertThat(candidate.isLeader()).isFalse();
        assertThat(resigned).isNotDone();
        store.fault(Fault.NONE);
        threads.pass(TTL);
        assertThat(resigned).isDone();
    }

    @Test
    void a_request_is_done_when_the_candidate_has_ended() {
        leads();
        store.fault(Fault.AWAY);
        CompletableFuture<Void> resigned = candidate.resign();
        candidate.close();
        threads.pass(TTL.multipliedBy(3));
        assertThat(resigned).isDone();
        assertThat(candidate.resign()).isCompleted();
    }

    @Test
    void a_request_is_not_done_when_an_earlier_call_is_done() {
        leads();
        store.fault(Fault.AWAY);
        candidate.resume();
        CompletableFuture<Void> resigned = candidate.resign();
        threads.settle();
        assertThat(candidate.isLeader()).isFalse();
        assertThat(resigned).isNotDone();
        store.fault(Fault.NONE);
        threads.pass(TTL);
        assertThat(resigned).isCompleted();
    }

    @Test
    void a_request_that_fails_repeatedly_fails() { // L8
        try (Election failing = Election.lease("failing")
                .store(store)
                .ttl(TTL)
                .threads(withFailingClocks(), () -> 7)
                .open()) {
            LeaseCandidate leader = failing.join("n1");
            threads.settle();
            assertThat(leader.isLeader()).isTrue();
            clocksFail = true;
            List<CompletableFuture<Void>> requests = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                requests.add(leader.resign());
            }
            threads.settle();
            clocksFail = false;
            assertThat(requests.get(0))
                    .failsWithin(Duration.ZERO)
                    .withThrowableThat()
                    .withCauseInstanceOf(IllegalStateException.class)
                    .withMessageContaining("the calls of the candidate in election \"failing\" failed repeatedly");
            threads.pass(TTL);
            assertThat(requests).allMatch(CompletableFuture::isDone);
        }
    }

    @Test
    void a_leave_that_fails_repeatedly_fails_and_can_be_repeated() { // L8
        try (Election failing = Election.lease("failing")
                .store(store)
                .ttl(TTL)
                .threads(withFailingClocks(), () -> 7)
                .open()) {
            LeaseCandidate leader = failing.join("n1");
            threads.settle();
            clocksFail = true;
            CompletableFuture<Void> left = leader.leave();
            for (int i = 0; i < 4; i++) {
                leader.resign();
            }
            threads.settle();
            clocksFail = false;
            assertThat(left)
                    .failsWithin(Duration.ZERO)
                    .withThrowableThat()
                    .withCauseInstanceOf(IllegalStateException.class)
                    .withMessageContaining("the calls of the candidate in election \"failing\" failed repeatedly");
            assertThat(leader.isLeader()).isTrue();

            CompletableFuture<Void> leftAgain = leader.leave();
            threads.pass(TTL);
            assertThat(leftAgain).isCompleted();
            assertThat(leader.isLeader()).isFalse();
        }
    }

    @Test
    void a_request_is_done_at_once_if_the_threads_are_closed() {
        leads();
        threads.close();
        assertThat(candidate.resign()).isDone();
    }

    @Test
    void a_cooldown_out_of_its_bounds_is_rejected() {
        assertThatThrownBy(() -> candidate.resign(Duration.ofHours(2)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("resignCooldown is 7200000 ms");
    }

    @Test
    void the_lease_is_released_when_whileLeading_returns() throws Exception { // L6
        leads();
        long before = threads.now().nanos();
        assertThat(candidate.whileLeading(LeaseLeadership::check)).isTrue();
        assertThat(isHeld()).isFalse();
        assertThat(threads.now().nanos()).as("no time has passed").isEqualTo(before);
    }

    @Test
    void an_interrupt_that_the_task_leaves_reaches_the_caller() throws Exception {
        assertThat(candidate.whileLeading(leadership -> Thread.currentThread().interrupt()))
                .isTrue();
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void an_expired_leadership_is_absent_before_the_loop_runs() { // L4
        leads();
        LeaseLeadership leadership = candidate.leadership().orElseThrow();
        assertThat(leadership).hasToString("term 1 of election \"orders\"");
        assertThat(leadership.remaining()).isPositive();
        threads.jumpWallClock(TTL);
        assertThat(candidate.leadership()).isEmpty();
        assertThat(leadership.isCertain()).isFalse();
        assertThat(leadership.remaining()).isZero();
    }

    @Test
    void work_that_continues_under_another_leader_is_reported() throws Exception { // L6
        leads();
        var received = new ArrayList<String>();
        candidate.listen(new ElectionListener<LeaseLeadership>() {
            @Override
            public void overlapped(long term, Leader by) {
                received.add("term " + term + " overlaps with " + by);
            }
        });
        LeaseCandidate other = election.join("n2");
        candidate.whileLeading(leadership -> {
            candidate.pause();
            // The task continues after the pause, so n1 does not release the lease. n2 leads after the lease has
            // expired.
            threads.pass(TTL.multipliedBy(2));
            assertThat(other.isLeader()).isTrue();
            candidate.close();
        });
        assertThat(received).containsExactly("term 1 overlaps with " + new Leader("n2", 2));
    }

    @Test
    void saves_are_confirmed_one_after_the_other() throws Exception {
        leads();
        LeaseLeadership leadership = candidate.leadership().orElseThrow();
        leadership.save(SavedState.ofText("row 1"));
        leadership.save(SavedState.ofText("row 2"));
        assertThat(leadership.state().text()).isEqualTo("row 2");
        candidate.resign(Duration.ZERO);
        threads.pass(TTL);
        LeaseLeadership next = candidate.leadership().orElseThrow();
        assertThat(next.term()).isEqualTo(2);
        assertThat(next.state().text()).isEqualTo("row 2");
        next.save(SavedState.ofText("row 3"));
        assertThat(next.state().text()).isEqualTo("row 3");
    }

    private Threads withFailingClocks() {
        return (Threads) Proxy.newProxyInstance(
                Threads.class.getClassLoader(), new Class<?>[] {Threads.class}, (on, called, with) -> {
                    if (called.getName().equals("now") && clocksFail) {
                        throw new StackOverflowError("on purpose");
                    }
                    return called.invoke(threads, with);
                });
    }

    private void leads() {
        threads.settle();
        assertThat(candidate.isLeader()).isTrue();
    }

    private boolean isHeld() {
        List<LeaseRecord> all = store.written();
        return all.get(all.size() - 1).isHeld();
    }
}
