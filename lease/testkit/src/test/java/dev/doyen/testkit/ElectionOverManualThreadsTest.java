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

/** The API with its driver over a clock that the test moves. No test sleeps. */
class ElectionOverManualThreadsTest {

    private final ManualThreads threads = new ManualThreads();
    private final FaultyLeaseStore store = new FaultyLeaseStore();
    private final AtomicLong seeds = new AtomicLong();
    private final Election election = election();
    private int closed;

    @Test
    void the_first_to_join_leads_and_all_know_it() {
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
    void leading_goes_on_for_as_long_as_renewals_are_confirmed() {
        LeaseCandidate candidate = join("n1");
        threads.pass(Duration.ofHours(1));
        assertThat(candidate.isLeader()).isTrue();
        assertThat(candidate.leadership().orElseThrow().term()).isEqualTo(1);
        // One write per renewal interval, W/5 = 2 s, and no others.
        assertThat(store.written()).hasSizeBetween(1795, 1805);
    }

    @Test
    void a_resignation_is_taken_up_at_once_because_the_store_announces_it() {
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
    void a_silent_leader_is_replaced_after_W_and_says_lost_before_that() { // L1, L2, L9
        LeaseCandidate first = join("n1");
        var heard = record(first);
        threads.settle();
        heard.clear();
        store.fault(Fault.AWAY);
        threads.pass(Duration.ofMillis(8_001));
        assertThat(heard).containsExactly("jeopardy", "lost EXPIRED", "leader nobody");
        assertThat(first.isLeader()).isFalse();
        store.fault(Fault.NONE);
        threads.pass(Duration.ofSeconds(4));
        assertThat(first.leadership().orElseThrow().term())
                .as("it takes its own record again, anew")
                .isEqualTo(2);
    }

    @Test
    void a_leader_that_stood_still_too_long_finds_itself_lost_before_anything_else() { // L4, L5
        LeaseCandidate candidate = join("n1");
        LeaseLeadership leadership = candidate.leadership().orElseThrow();
        threads.jumpWallClock(Duration.ofSeconds(30));
        assertThat(candidate.isLeader()).as("asked before the loop has run").isFalse();
        assertThat(leadership.isCertain()).isFalse();
        assertThat(leadership.remaining()).isZero();
        var heard = record(candidate);
        threads.pass(Duration.ofSeconds(3));
        assertThat(heard).contains("lost SUSPENDED");
    }

    @Test
    void writes_that_are_made_but_never_answered_keep_the_leader_only_until_its_old_deadline() { // L7
        LeaseCandidate candidate = join("n1");
        store.fault(Fault.ANSWERS_LOST);
        threads.pass(Duration.ofMillis(8_001));
        assertThat(candidate.isLeader()).isFalse();
    }

    @Test
    void a_short_loss_of_answers_is_healed_by_the_nonce() { // L7
        LeaseCandidate candidate = join("n1");
        var heard = record(candidate);
        threads.settle();
        heard.clear();
        store.fault(Fault.ANSWERS_LOST);
        threads.pass(Duration.ofMillis(2_100));
        store.fault(Fault.NONE);
        threads.pass(Duration.ofSeconds(10));
        assertThat(heard).containsExactly("jeopardy", "recovered");
        assertThat(candidate.leadership().orElseThrow().term()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(names = {"BROKEN", "FATAL"})
    void a_store_that_throws_what_it_should_not_ends_nothing_but_the_term(Fault fault) { // L8
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
    void an_Error_out_of_a_call_of_its_threads_costs_a_candidate_its_term_at_most(String method) { // L8
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
    void the_deadline_is_kept_though_every_store_thread_hangs() { // L8
        LeaseCandidate candidate = join("n1");
        var heard = record(candidate);
        threads.storeThreadsBusy(true);
        threads.pass(Duration.ofMillis(8_001));
        assertThat(heard).contains("lost EXPIRED");
    }

    @Test
    void a_late_listener_learns_that_it_is_elected_before_it_sees_itself_lead() { // L9
        LeaseCandidate candidate = join("n1");
        threads.pass(Duration.ofSeconds(60));
        assertThat(record(candidate)).containsExactly("elected 1", "leader n1/1");
    }

    @Test
    void a_listener_that_throws_does_not_keep_the_others_from_hearing() {
        LeaseCandidate candidate = join("n1");
        candidate.listen(new ElectionListener<LeaseLeadership>() {
            @Override
            public void lost(LossCause cause) {
                throw new IllegalStateException("a listener's own fault");
            }
        });
        var heard = record(candidate);
        candidate.resign();
        threads.settle();
        assertThat(heard).contains("lost RESIGNED");
        assertThat(store.written().get(store.written().size() - 1).isHeld())
                .as("and the lease is given back")
                .isFalse();
    }

    @Test
    void the_lease_is_given_back_after_the_listener_returned_from_lost_and_not_before() { // L6
        LeaseCandidate candidate = join("n1");
        List<Boolean> heldWhileTold = new ArrayList<>();
        candidate.listen(new ElectionListener<LeaseLeadership>() {
            @Override
            public void lost(LossCause cause) {
                heldWhileTold.add(lastWritten().isHeld());
            }
        });
        threads.settle();
        candidate.resign();
        threads.settle();
        assertThat(heldWhileTold).containsExactly(true);
        assertThat(lastWritten().isHeld()).isFalse();
    }

    @Test
    void a_registration_that_was_closed_hears_nothing_more() {
        LeaseCandidate candidate = join("n1");
        List<String> heard = new ArrayList<>();
        candidate.listen(recorder(heard)).close();
        threads.settle();
        heard.clear();
        candidate.resign();
        threads.settle();
        assertThat(heard).isEmpty();
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
            throw new AssertionError("the save still waits, a minute later");
        });
        assertThatThrownBy(() -> leadership.save(SavedState.ofText("row 5"))).isInstanceOf(NotLeaderException.class);
        assertThat(leadership.isCertain()).isFalse();
    }

    @Test
    void a_save_under_a_term_that_has_ended_fails_though_the_candidate_leads_again() {
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
        assertThat(lastWritten().isHeld()).as("and the lease is released").isFalse();
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
        assertThat(lastWritten().isHeld()).as("and the lease is released").isFalse();
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

    /** Returns threads of which this method throws an Error in the next {@code failures} calls. */
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
        List<String> heard = new ArrayList<>();
        candidate.listen(recorder(heard));
        threads.settle();
        return heard;
    }

    private static ElectionListener<LeaseLeadership> recorder(List<String> heard) {
        return new ElectionListener<LeaseLeadership>() {
            @Override
            public void elected(LeaseLeadership leadership) {
                heard.add("elected " + leadership.term());
            }

            @Override
            public void jeopardy(Duration remaining, String reason) {
                heard.add("jeopardy");
            }

            @Override
            public void recovered() {
                heard.add("recovered");
            }

            @Override
            public void lost(LossCause cause) {
                heard.add("lost " + cause);
            }

            @Override
            public void leaderChanged(Optional<Leader> leader) {
                heard.add("leader " + leader.map(l -> l.id() + "/" + l.term()).orElse("nobody"));
            }
        };
    }
}
