package dev.doyen.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.Election;
import dev.doyen.LeaseCandidate;
import dev.doyen.LeaseLeadership;
import dev.doyen.election.ElectionListener;
import dev.doyen.election.NotLeaderException;
import dev.doyen.election.Observer;
import dev.doyen.election.Threads;
import dev.doyen.event.Leader;
import dev.doyen.event.LossCause;
import dev.doyen.event.SavedState;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseStore;
import dev.doyen.testkit.FaultyLeaseStore.Fault;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the API together with the driver. The test moves the clock, so no test sleeps. */
class ElectionOverManualThreadsTest {

    private final ManualThreads threads = new ManualThreads();
    private final FaultyLeaseStore store = new FaultyLeaseStore();
    private final AtomicLong seeds = new AtomicLong();
    private final Election election = election();
    private int closed;

    @Test
    void the_first_candidate_leads_and_all_report_it() {
        LeaseCandidate first = join("n1");
        LeaseCandidate second = join("n2");
        Observer observer = election.observe();
        threads.settle();
        assertThat(first.isLeader()).isTrue();
        assertThat(second.isLeader()).isFalse();
        for (Observer each : List.of(first, second, observer)) {
            assertThat(each.leader()).contains(new Leader("n1", 1));
        }
    }

    @Test
    void a_leader_leads_while_its_renewals_are_confirmed() {
        LeaseCandidate candidate = join("n1");
        threads.pass(Duration.ofHours(1));
        assertThat(candidate.isLeader()).isTrue();
        assertThat(candidate.leadership().orElseThrow().term()).isEqualTo(1);
        // The leader writes once in each renewal interval (ttl/5 = 2 s). Nobody else writes.
        assertThat(store.written()).hasSizeBetween(1795, 1805);
    }

    @Test
    void a_resignation_is_announced_and_followed_at_once() {
        LeaseCandidate first = join("n1");
        LeaseCandidate second = join("n2");
        var resigned = first.resign();
        threads.settle();
        assertThat(resigned).isDone();
        assertThat(second.isLeader()).isTrue();
        assertThat(first.isLeader()).isFalse();
        assertThat(first.leader()).contains(new Leader("n2", 2));
    }

    @Test
    void a_silent_leader_is_replaced_after_W_and_lost_its_term_before() { // L1, L2, L9
        LeaseCandidate first = join("n1");
        var received = record(first);
        threads.settle();
        received.clear();
        store.fault(Fault.AWAY);
        threads.pass(Duration.ofMillis(8_001));
        assertThat(received).containsExactly("jeopardy", "lost EXPIRED", "leader nobody");
        assertThat(first.isLeader()).isFalse();
        store.fault(Fault.NONE);
        threads.pass(Duration.ofSeconds(4));
        assertThat(first.leadership().orElseThrow().term())
                .as("the candidate acquires its own record in a new term")
                .isEqualTo(2);
    }

    @Test
    void a_leader_that_was_suspended_too_long_first_loses_its_term() { // L4, L5
        LeaseCandidate candidate = join("n1");
        LeaseLeadership leadership = candidate.leadership().orElseThrow();
        threads.jumpWallClock(Duration.ofSeconds(30));
        assertThat(candidate.isLeader())
                .as("the leadership has ended before the loop has run")
                .isFalse();
        assertThat(leadership.isCertain()).isFalse();
        assertThat(leadership.remaining()).isZero();
        var received = record(candidate);
        threads.pass(Duration.ofSeconds(3));
        assertThat(received).contains("lost SUSPENDED");
    }

    @Test
    void unanswered_writes_do_not_extend_the_deadline() { // L7
        LeaseCandidate candidate = join("n1");
        store.fault(Fault.ANSWERS_LOST);
        threads.pass(Duration.ofMillis(8_001));
        assertThat(candidate.isLeader()).isFalse();
    }

    @Test
    void a_lost_answer_is_confirmed_by_the_nonce_of_a_later_read() { // L7
        LeaseCandidate candidate = join("n1");
        var received = record(candidate);
        threads.settle();
        received.clear();
        store.fault(Fault.ANSWERS_LOST);
        threads.pass(Duration.ofMillis(2_100));
        store.fault(Fault.NONE);
        threads.pass(Duration.ofSeconds(10));
        assertThat(received).containsExactly("jeopardy", "recovered");
        assertThat(candidate.leadership().orElseThrow().term()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(names = {"BROKEN", "FATAL"})
    void an_unexpected_exception_of_the_store_ends_only_the_term(Fault fault) { // L8
        LeaseCandidate candidate = join("n1");
        store.fault(fault);
        threads.pass(Duration.ofSeconds(60));
        assertThat(candidate.isLeader()).isFalse();
        store.fault(Fault.NONE);
        threads.pass(Duration.ofSeconds(5));
        assertThat(candidate.isLeader()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"store", "at"})
    void an_Error_in_a_store_call_ends_at_most_the_term(String method) { // L8
        AtomicInteger failures = new AtomicInteger();
        LeaseCandidate candidate = election(store, failing(method, failures)).join("n1");
        candidate.listen(new ElectionListener<LeaseLeadership>() {});
        threads.pass(Duration.ofSeconds(5));
        assertThat(candidate.isLeader()).isTrue();
        for (int i = 0; i < 3; i++) {
            failures.set(1);
            candidate.resign(Duration.ZERO);
            threads.pass(Duration.ofSeconds(15));
            assertThat(failures).as("the Error was thrown").hasValue(0);
            assertThat(candidate.isLeader()).isTrue();
        }
    }

    @Test
    void the_deadline_holds_even_if_every_store_thread_hangs() { // L8
        LeaseCandidate candidate = join("n1");
        var received = record(candidate);
        threads.storeThreadsBusy(true);
        threads.pass(Duration.ofMillis(8_001));
        assertThat(received).contains("lost EXPIRED");
    }

    @Test
    void a_late_listener_is_notified_of_the_election_before_isLeader_is_true() { // L9
        LeaseCandidate candidate = join("n1");
        threads.pass(Duration.ofSeconds(60));
        assertThat(record(candidate)).containsExactly("elected 1", "leader n1/1");
    }

    @Test
    void a_listener_that_throws_does_not_affect_the_others() {
        LeaseCandidate candidate = join("n1");
        candidate.listen(new ElectionListener<LeaseLeadership>() {
            @Override
            public void lost(LossCause cause) {
                throw new IllegalStateException("fails on purpose");
            }
        });
        var received = record(candidate);
        candidate.resign();
        threads.settle();
        assertThat(received).contains("lost RESIGNED");
        assertThat(store.written().get(store.written().size() - 1).isHeld())
                .as("the lease is released")
                .isFalse();
    }

    @Test
    void the_lease_is_released_after_the_listener_returned_from_lost() { // L6
        LeaseCandidate candidate = join("n1");
        List<Boolean> heldDuringCallback = new ArrayList<>();
        candidate.listen(new ElectionListener<LeaseLeadership>() {
            @Override
            public void lost(LossCause cause) {
                heldDuringCallback.add(lastWritten().isHeld());
            }
        });
        threads.settle();
        candidate.resign();
        threads.settle();
        assertThat(heldDuringCallback).containsExactly(true);
        assertThat(lastWritten().isHeld()).isFalse();
    }

    @Test
    void a_closed_registration_gets_no_events() {
        LeaseCandidate candidate = join("n1");
        List<String> received = new ArrayList<>();
        candidate.listen(recorder(received)).close();
        threads.settle();
        received.clear();
        candidate.resign();
        threads.settle();
        assertThat(received).isEmpty();
    }

    @Test
    void terms_rise_by_one_with_each_change_of_holder() { // L3
        List<LeaseCandidate> candidates = List.of(join("n1"), join("n2"), join("n3"));
        for (int i = 0; i < 20; i++) {
            candidates.stream().filter(LeaseCandidate::isLeader).forEach(LeaseCandidate::resign);
            threads.pass(Duration.ofSeconds(11));
        }
        List<Long> terms = store.written().stream()
                .filter(LeaseRecord::isHeld)
                .map(LeaseRecord::term)
                .distinct()
                .toList();
        assertThat(terms).isSorted().hasSizeGreaterThanOrEqualTo(20);
        assertThat(terms.get(terms.size() - 1)).isEqualTo(terms.size());
    }

    @Test
    void a_leadership_is_not_certain_in_a_later_term_of_the_same_candidate() { // L5
        LeaseCandidate candidate = join("n1");
        LeaseLeadership first = candidate.leadership().orElseThrow();
        candidate.resign(Duration.ZERO);
        threads.pass(Duration.ofSeconds(1));
        assertThat(candidate.leadership().orElseThrow().isCertain()).isTrue();

        assertThat(first.isCertain()).isFalse();
        assertThat(first.remaining()).isZero();
        assertThatThrownBy(first::check).isInstanceOf(NotLeaderException.class);
        assertThat(first.state()).isEqualTo(SavedState.EMPTY);
    }

    @Test
    void a_save_that_waits_as_its_term_ends_fails() {
        LeaseLeadership leadership = join("n1").leadership().orElseThrow();
        store.fault(Fault.AWAY);
        threads.at(threads.now().nanos() + Duration.ofMinutes(1).toNanos(), () -> {
            throw new AssertionError("the save still waits after a minute");
        });
        assertThatThrownBy(() -> leadership.save(SavedState.ofText("row 5"))).isInstanceOf(NotLeaderException.class);
        assertThat(leadership.isCertain()).isFalse();
    }

    @Test
    void a_save_of_an_ended_term_fails_even_if_the_candidate_leads_again() {
        LeaseCandidate candidate = join("n1");
        LeaseLeadership first = candidate.leadership().orElseThrow();
        candidate.resign(Duration.ZERO);
        threads.pass(Duration.ofSeconds(1));
        assertThat(candidate.isLeader()).isTrue();
        assertThatThrownBy(() -> first.save(SavedState.ofText("row 5"))).isInstanceOf(NotLeaderException.class);
        assertThat(store.written()).noneMatch(record -> record.state().text().equals("row 5"));
    }

    @Test
    void a_callback_that_closes_its_candidate_does_not_wait_for_itself() {
        LeaseCandidate candidate = join("n1");
        candidate.listen(new ElectionListener<LeaseLeadership>() {
            @Override
            public void elected(LeaseLeadership leadership) {
                closeWithoutWaiting(candidate);
            }
        });
        threads.settle();
        assertThat(closed).isOne();
        assertThat(lastWritten().isHeld()).as("the lease is released").isFalse();
    }

    @Test
    void a_callback_that_closes_its_observer_does_not_wait_for_itself() {
        join("n1");
        Observer observer = election.observe();
        threads.settle();
        observer.listen(leader -> closeWithoutWaiting(observer));
        threads.settle();
        assertThat(closed).isOne();
    }

    @Test
    void a_task_that_closes_its_candidate_does_not_wait_for_itself() throws Exception {
        LeaseCandidate candidate = join("n1");
        candidate.whileLeading(leadership -> closeWithoutWaiting(candidate));
        threads.settle();
        assertThat(closed).isOne();
        assertThat(lastWritten().isHeld()).as("the lease is released").isFalse();
    }

    private void closeWithoutWaiting(Observer observer) {
        long before = threads.now().nanos();
        observer.close();
        assertThat(threads.now().nanos()).as("no time has passed").isEqualTo(before);
        closed++;
    }

    private Election election() {
        return election(store, threads);
    }

    private Election election(LeaseStore over, Threads on) {
        return Election.lease("orders")
                .store(over)
                .threads(on, seeds::incrementAndGet)
                .open();
    }

    /** Returns threads on which the next {@code failures} calls of {@code method} throw an Error. */
    private Threads failing(String method, AtomicInteger failures) {
        return (Threads) Proxy.newProxyInstance(
                Threads.class.getClassLoader(), new Class<?>[] {Threads.class}, (on, called, with) -> {
                    if (called.getName().equals(method) && failures.get() > 0) {
                        failures.decrementAndGet();
                        throw new StackOverflowError("on purpose");
                    }
                    return called.invoke(threads, with);
                });
    }

    private LeaseCandidate join(String id) {
        LeaseCandidate candidate = election.join(id);
        threads.settle();
        return candidate;
    }

    private LeaseRecord lastWritten() {
        List<LeaseRecord> all = store.written();
        return all.get(all.size() - 1);
    }

    private List<String> record(LeaseCandidate candidate) {
        List<String> received = new ArrayList<>();
        candidate.listen(recorder(received));
        threads.settle();
        return received;
    }

    private static ElectionListener<LeaseLeadership> recorder(List<String> received) {
        return new ElectionListener<LeaseLeadership>() {
            @Override
            public void elected(LeaseLeadership leadership) {
                received.add("elected " + leadership.term());
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
                received.add(
                        "leader " + leader.map(l -> l.id() + "/" + l.term()).orElse("nobody"));
            }
        };
    }
}
