package dev.doyen.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.doyen.Control;
import dev.doyen.Election;
import dev.doyen.Fencing;
import dev.doyen.LeaseCandidate;
import dev.doyen.LeaseElectionBuilder;
import dev.doyen.LeaseLeadership;
import dev.doyen.election.ElectionListener;
import dev.doyen.election.HealthCheck;
import dev.doyen.election.HealthCheck.NoneHealthy;
import dev.doyen.election.Priority;
import dev.doyen.event.Explanation.Reason;
import dev.doyen.event.Leader;
import dev.doyen.event.LossCause;
import dev.doyen.store.CasOutcome;
import dev.doyen.store.ForwardingLeaseStore;
import dev.doyen.store.LeaseNotes;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.StoreUnavailableException;
import dev.doyen.store.VersionedLease;
import dev.doyen.testkit.FaultyLeaseStore.Fault;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/**
 * Tests rules M1 to M6 of docs/spec/lease.md through the API.
 *
 * <p>The test moves the clock. The ttl is 10 s.
 *
 * <p>This class is longer than most, because the rules interact and their tests share one setup.
 */
class TakeoverPolicyTest {

    private static final Duration HALF_TTL = Duration.ofSeconds(5);

    private final ManualThreads threads = new ManualThreads();
    private final FaultyLeaseStore store = new FaultyLeaseStore();
    private final AtomicLong seeds = new AtomicLong();
    private final Election election = open(builder -> builder);

    // ---- M1 pause

    @Test
    void a_paused_election_has_no_leader_and_a_resumed_one_has_a_leader_at_once() { // M1
        LeaseCandidate first = join("n1");
        LeaseCandidate second = join("n2");
        List<String> received = record(first);
        threads.pass(Duration.ofSeconds(5));
        election.control("ops").pause("moving house");
        threads.pass(Duration.ofMinutes(10));
        assertThat(received).contains("lost PAUSED");
        assertThat(List.of(first, second)).noneMatch(LeaseCandidate::isLeader);
        assertThat(second.explain().reason()).isEqualTo(Reason.ELECTION_PAUSED);
        assertThat(second.explain().sentence()).contains("ops").contains("moving house");
        assertThat(election.control("ops").resume().orElseThrow().by()).isEqualTo("ops");
        threads.settle();
        assertThat(List.of(first, second)).filteredOn(LeaseCandidate::isLeader).hasSize(1);
        assertThat(election.control("ops").resume()).isEmpty();
    }

    @Test
    void an_election_can_be_paused_before_its_first_leader() { // M1
        election.control("ops").pause("not yet");
        LeaseCandidate first = join("n1");
        threads.pass(Duration.ofMinutes(1));
        assertThat(first.isLeader()).isFalse();
        election.control("ops").resume();
        threads.settle();
        assertThat(first.leadership().orElseThrow().term()).isEqualTo(2);
    }

    @Test
    void a_lease_that_expires_during_a_pause_is_not_acquired() { // M1
        LeaseCandidate first = join("n1");
        threads.settle();
        election.control("ops").pause("");
        store.fault(Fault.AWAY);
        threads.pass(Duration.ofSeconds(30));
        LeaseCandidate second = join("n2");
        store.fault(Fault.NONE);
        threads.pass(Duration.ofMinutes(1));
        assertThat(List.of(first, second)).noneMatch(LeaseCandidate::isLeader);
    }

    // ---- M2 successor, M4 step-down requests

    @Test
    void a_transfer_elects_the_successor_before_other_candidates() { // M2
        LeaseCandidate first = join("n1");
        List<LeaseCandidate> others = List.of(join("n2"), join("n3"), join("n4"));
        threads.settle();
        var given = first.transferTo("n4");
        threads.settle();
        assertThat(given).isDone();
        assertThat(others.get(2).isLeader()).isTrue();
        assertThat(first.history().get(0).end()).isEqualTo(LossCause.TRANSFERRED);
    }

    @Test
    void a_missing_successor_is_waited_for_half_a_ttl() { // M2
        LeaseCandidate first = join("n1");
        LeaseCandidate second = join("n2");
        threads.settle();
        first.transferTo("nobody");
        threads.pass(HALF_TTL.minusMillis(1));
        assertThat(second.isLeader()).isFalse();
        assertThat(second.explain().reason()).isEqualTo(Reason.SUCCESSOR_FIRST);
        threads.pass(Duration.ofMillis(1));
        assertThat(second.isLeader()).isTrue();
    }

    @Test
    void an_admin_command_makes_the_leader_hand_over_to_the_successor() { // M4
        join("n1");
        LeaseCandidate second = join("n2");
        LeaseCandidate third = join("n3");
        threads.pass(Duration.ofSeconds(3));
        assertThat(election.control("ops").transferTo("n3", "upgrade")).contains(new Leader("n1", 1));
        threads.pass(Duration.ofSeconds(2));
        assertThat(third.isLeader()).isTrue();
        assertThat(second.isLeader()).isFalse();
    }

    @Test
    void an_admin_command_without_an_answer_is_not_reported_as_done() { // M4, L7
        join("n1");
        threads.settle();
        LeaseStore unanswered = new ForwardingLeaseStore(store) {
            @Override
            public VersionedLease read(String name) {
                return behind().read(name);
            }

            @Override
            public CasOutcome compareAndSet(String name, LeaseVersion expected, LeaseRecord next) {
                return new CasOutcome.Unknown("no answer in time");
            }
        };
        Control control = controlOver(unanswered);
        for (Runnable command : List.<Runnable>of(
                () -> control.pause("moving house"), () -> control.resign(""), () -> control.transferTo("n1", ""))) {
            assertThatThrownBy(command::run)
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("no answer in time");
        }
    }

    @Test
    void an_admin_command_fails_after_20_conflicts() { // M4
        join("n1");
        threads.settle();
        AtomicInteger attempts = new AtomicInteger();
        LeaseStore busy = new ForwardingLeaseStore(store) {
            @Override
            public VersionedLease read(String name) {
                return behind().read(name);
            }

            @Override
            public CasOutcome compareAndSet(String name, LeaseVersion expected, LeaseRecord next) {
                attempts.incrementAndGet();
                return new CasOutcome.Conflict(behind().read(name));
            }
        };
        assertThatThrownBy(() -> controlOver(busy).pause("moving house"))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("changed during each of 20 attempts");
        assertThat(attempts).hasValue(20);
    }

    @Test
    void a_step_down_request_is_carried_out_once() { // M4
        LeaseCandidate first = join("n1");
        LeaseCandidate second = join("n2");
        threads.pass(Duration.ofSeconds(3));
        assertThat(election.control("ops").resign("an inspection")).contains(new Leader("n1", 1));
        threads.pass(Duration.ofMinutes(5));
        assertThat(first.isLeader()).isFalse();
        assertThat(second.leadership().orElseThrow().term())
                .as("the request was not carried out again")
                .isEqualTo(2);
    }

    @Test
    void an_admin_command_writes_again_over_a_record_that_changed_meanwhile() { // M4
        election.control("ops").pause("moving house");
        AtomicInteger attempts = new AtomicInteger();
        LeaseStore changing = new ForwardingLeaseStore(store) {
            @Override
            public VersionedLease read(String name) {
                return behind().read(name);
            }

            @Override
            public CasOutcome compareAndSet(String name, LeaseVersion expected, LeaseRecord next) {
                if (attempts.incrementAndGet() == 1) {
                    election.control("other").pause("at the same time");
                }
                return behind().compareAndSet(name, expected, next);
            }
        };
        assertThat(controlOver(changing).resume().orElseThrow().reason()).isEqualTo("at the same time");
        assertThat(attempts).hasValue(2);
        assertThat(store.written()).extracting(LeaseRecord::nonce).doesNotHaveDuplicates();
        assertThat(lastPause()).isEmpty();
    }

    @Test
    void a_pause_contains_its_author_and_time() { // M1
        election.control("ops").pause("moving house");
        assertThat(lastPause())
                .contains(new LeaseNotes.Pause(
                        "ops",
                        "moving house",
                        Instant.ofEpochMilli(threads.now().wallMillis())));
    }

    @Test
    void without_a_leader_no_request_is_written() { // M4
        assertThat(election.control("ops").resign("")).isEmpty();
        assertThat(store.written()).isEmpty();
    }

    // ---- M3 and M5 priority

    @Test
    void the_preferred_candidate_acquires_a_free_lease() { // M3
        LeaseCandidate first = join("n1");
        LeaseCandidate low = open(b -> b.priority(Priority.sticky(10))).join("low");
        LeaseCandidate high = open(b -> b.priority(Priority.sticky(90))).join("high");
        threads.settle();
        first.pause();
        threads.pass(Duration.ofMillis(499));
        assertThat(low.isLeader() || high.isLeader()).isFalse();
        assertThat(low.explain().reason()).isEqualTo(Reason.PREFERRED_FIRST);
        threads.pass(Duration.ofMillis(1));
        assertThat(high.isLeader()).isTrue();
    }

    @Test
    void the_least_preferred_candidate_leads_if_it_is_alone() { // M3
        LeaseCandidate low = open(b -> b.priority(Priority.sticky(0))).join("low");
        threads.pass(HALF_TTL);
        assertThat(low.isLeader()).isTrue();
    }

    @Test
    void only_a_candidate_that_is_not_sticky_replaces_a_leader_of_lower_priority() { // M5
        LeaseCandidate low = open(b -> b.priority(Priority.sticky(10))).join("low");
        threads.pass(HALF_TTL);
        LeaseCandidate sticky = open(b -> b.priority(Priority.sticky(90))).join("sticky");
        threads.pass(Duration.ofMinutes(5));
        assertThat(low.isLeader()).isTrue();
        LeaseCandidate returning = open(b -> b.priority(Priority.returning(80))).join("returning");
        threads.pass(Duration.ofSeconds(9));
        assertThat(low.isLeader())
                .as("the other candidate observes the leader for a ttl first")
                .isTrue();
        threads.pass(Duration.ofSeconds(5));
        assertThat(returning.isLeader()).isTrue();
        assertThat(sticky.isLeader()).isFalse();
        assertThat(returning.leadership().orElseThrow().term()).isEqualTo(2);
    }

    @Test
    void a_silent_leader_gets_no_step_down_request() { // M5
        Election lowElection = open(b -> b.priority(Priority.sticky(10)));
        LeaseCandidate low = lowElection.join("low");
        threads.pass(HALF_TTL);
        LeaseCandidate returning = open(b -> b.priority(Priority.returning(80))).join("returning");
        threads.pass(Duration.ofSeconds(1));
        assertThat(low.isLeader()).isTrue();
        low.pause();
        threads.pass(Duration.ofSeconds(2));
        assertThat(returning.isLeader()).isTrue();
    }

    @Test
    void a_leader_with_the_same_id_gets_no_step_down_request() { // M5
        LeaseCandidate low = open(b -> b.priority(Priority.sticky(10))).join("n1");
        threads.pass(HALF_TTL);
        open(b -> b.priority(Priority.returning(80))).join("n1");
        for (int second = 1; second <= 60; second++) {
            threads.pass(Duration.ofSeconds(1));
            assertThat(store.read(election.name())
                            .record()
                            .orElseThrow()
                            .notes()
                            .stepDown())
                    .isEmpty();
        }
        assertThat(low.isLeader()).isTrue();
    }

    // ---- M8 generation

    @Test
    void a_leader_of_an_older_generation_hands_over_before_a_ttl_has_passed() { // M8
        LeaseCandidate old = open(b -> b.priority(generation(1))).join("old");
        threads.settle();
        LeaseCandidate fresh = open(b -> b.priority(generation(2))).join("new");
        threads.pass(Duration.ofSeconds(4));
        assertThat(fresh.isLeader()).isTrue();
        assertThat(fresh.leadership().orElseThrow().term()).isEqualTo(2);
        assertThat(old.isLeader()).isFalse();
        assertThat(store.read(election.name())
                        .record()
                        .orElseThrow()
                        .notes()
                        .past()
                        .get(0)
                        .reason())
                .isEqualTo("a candidate of a newer generation asked for the leadership (2 is above 1)");
        threads.pass(Duration.ofMinutes(5));
        assertThat(fresh.leadership().orElseThrow().term())
                .as("the leadership moves once")
                .isEqualTo(2);
    }

    @Test
    void candidates_of_the_same_or_an_older_generation_send_no_request() { // M8
        LeaseCandidate leader = open(b -> b.priority(generation(2))).join("leader");
        threads.settle();
        open(b -> b.priority(generation(2))).join("same");
        open(b -> b.priority(generation(1))).join("old");
        threads.pass(Duration.ofMinutes(5));
        assertThat(leader.leadership().orElseThrow().term()).isEqualTo(1);
    }

    @Test
    void the_generation_counts_more_than_the_priority() { // M8
        LeaseCandidate old =
                open(b -> b.priority(Priority.returning(100).withGeneration(1))).join("old");
        threads.settle();
        LeaseCandidate fresh =
                open(b -> b.priority(Priority.sticky(10).withGeneration(2))).join("new");
        threads.pass(Duration.ofMinutes(5));
        assertThat(fresh.isLeader()).isTrue();
        assertThat(fresh.leadership().orElseThrow().term()).isEqualTo(2);
        assertThat(old.isLeader()).isFalse();
    }

    @Test
    void an_unhealthy_candidate_asks_an_older_leader_only_after_it_is_healthy() { // M8
        LeaseCandidate old = open(b -> b.priority(generation(1))).join("old");
        threads.settle();
        var well = new AtomicBoolean();
        LeaseCandidate fresh = open(b -> b.priority(generation(2)).health(HealthCheck.of(well::get)))
                .join("new");
        threads.pass(Duration.ofMinutes(1));
        assertThat(old.leadership().orElseThrow().term()).isEqualTo(1);
        assertThat(fresh.explain().reason()).isEqualTo(Reason.UNHEALTHY);
        well.set(true);
        threads.pass(Duration.ofSeconds(3));
        assertThat(fresh.isLeader()).isTrue();
    }

    @Test
    void a_candidate_that_resigned_asks_an_older_leader_only_after_its_cooldown() { // M8
        LeaseCandidate fresh = open(b -> b.priority(generation(2))).join("new");
        threads.settle();
        LeaseCandidate old = open(b -> b.priority(generation(1))).join("old");
        threads.settle();
        election.control("ops").resign("");
        threads.pass(Duration.ofSeconds(4));
        assertThat(old.isLeader()).isTrue();
        threads.pass(Duration.ofMinutes(1));
        assertThat(fresh.isLeader()).isTrue();
    }

    @Test
    void a_leader_that_closes_before_it_reads_a_request_names_the_requester() { // M2, M8
        LeaseCandidate old = open(b -> b.priority(generation(1))).join("old");
        threads.settle();
        LeaseCandidate other = open(b -> b.priority(generation(1))).join("other");
        threads.settle();
        VersionedLease held = store.read(election.name());
        LeaseRecord record = held.record().orElseThrow();
        store.compareAndSet(
                election.name(),
                held.version(),
                record.noting(
                        record.notes().withStepDownRequest(new LeaseNotes.StepDownRequest("new", "new", "")), "note"));
        old.close();
        LeaseRecord released = store.read(election.name()).record().orElseThrow();
        assertThat(released.isHeld()).isFalse();
        assertThat(released.notes().successor().map(LeaseNotes.Successor::id)).contains("new");
        assertThat(other.isLeader()).isFalse();
    }

    private static Priority generation(long number) {
        return Priority.DEFAULT.withGeneration(number);
    }

    // ---- M6 eligibility

    @Test
    void a_candidate_does_not_campaign_before_its_first_passed_health_check() { // M6
        var well = new AtomicBoolean();
        LeaseCandidate candidate =
                open(b -> b.health(HealthCheck.of(well::get))).join("n1");
        threads.pass(Duration.ofMinutes(1));
        assertThat(candidate.isLeader()).isFalse();
        assertThat(candidate.explain().reason()).isEqualTo(Reason.UNHEALTHY);
        well.set(true);
        threads.pass(Duration.ofSeconds(2));
        assertThat(candidate.isLeader()).isTrue();
    }

    @Test
    void a_leader_is_unhealthy_after_three_failures_and_hands_over() { // M6
        var well = new AtomicBoolean(true);
        LeaseCandidate unhealthy =
                open(b -> b.health(HealthCheck.of(well::get))).join("ill");
        threads.settle();
        LeaseCandidate other = join("other");
        List<String> received = record(unhealthy);
        well.set(false);
        threads.pass(Duration.ofMillis(2_500));
        well.set(true);
        threads.pass(Duration.ofSeconds(2));
        assertThat(unhealthy.isLeader()).as("two failed checks are not enough").isTrue();
        well.set(false);
        threads.pass(Duration.ofSeconds(4));
        assertThat(received).contains("lost UNHEALTHY");
        assertThat(other.isLeader()).isTrue();
    }

    @Test
    void a_check_that_throws_counts_as_a_failure() { // M6
        var broken = new AtomicBoolean();
        LeaseCandidate candidate = open(b -> b.health(HealthCheck.of(() -> {
                    if (broken.get()) {
                        throw new IllegalStateException("fails on purpose");
                    }
                    return true;
                })))
                .join("n1");
        threads.settle();
        assertThat(candidate.isLeader()).isTrue();
        broken.set(true);
        threads.pass(Duration.ofSeconds(4));
        assertThat(candidate.isLeader()).isFalse();
    }

    @Test
    void without_a_healthy_candidate_nobody_leads_unless_configured() { // M6
        var well = new AtomicBoolean();
        LeaseCandidate strict = open(b -> b.health(HealthCheck.of(() -> false))).join("strict");
        LeaseCandidate lastResort = open(b ->
                        b.health(HealthCheck.of(well::get).whenNoneHealthy(NoneHealthy.LEAD_ANYWAY)))
                .join("last resort");
        threads.pass(Duration.ofSeconds(14));
        assertThat(lastResort.isLeader()).isFalse();
        threads.pass(Duration.ofSeconds(2));
        assertThat(lastResort.isLeader()).isTrue();
        assertThat(strict.isLeader()).isFalse();
        LeaseCandidate healthy = join("fit");
        threads.pass(Duration.ofSeconds(14));
        assertThat(healthy.isLeader())
                .as("the healthy candidate requests a handover")
                .isTrue();
        assertThat(lastResort.isLeader()).isFalse();
    }

    @Test
    void a_paused_candidate_does_not_campaign_until_it_is_resumed() { // M6
        LeaseCandidate first = join("n1");
        LeaseCandidate second = join("n2");
        threads.settle();
        var paused = first.pause();
        threads.settle();
        assertThat(paused).isDone();
        assertThat(second.isLeader()).isTrue();
        second.pause();
        threads.pass(Duration.ofMinutes(1));
        assertThat(first.isLeader()).isFalse();
        assertThat(first.explain().reason()).isEqualTo(Reason.CANDIDATE_PAUSED);
        first.resume();
        threads.settle();
        assertThat(first.isLeader()).isTrue();
    }

    // ---- history, overlap, fencing

    @Test
    void the_history_contains_holder_times_and_end_of_each_term() {
        LeaseCandidate first = join("n1");
        LeaseCandidate second = join("n2");
        threads.pass(Duration.ofSeconds(6));
        first.resign();
        threads.pass(Duration.ofSeconds(6));
        store.fault(Fault.AWAY);
        threads.pass(Duration.ofSeconds(20));
        store.fault(Fault.NONE);
        threads.pass(Duration.ofSeconds(20));
        List<LeaseNotes.PastTerm> history = second.history();
        assertThat(history).extracting(LeaseNotes.PastTerm::term).containsExactly(2L, 1L);
        assertThat(history).extracting(LeaseNotes.PastTerm::holder).containsExactly("n2", "n1");
        assertThat(history).extracting(LeaseNotes.PastTerm::end).containsExactly(LossCause.EXPIRED, LossCause.RESIGNED);
        LeaseNotes.PastTerm oldest = history.get(1);
        assertThat(Duration.between(oldest.from(), oldest.until())).isEqualTo(Duration.ofSeconds(6));
        assertThat(Duration.between(oldest.until(), history.get(0).from())).isZero();
    }

    @Test
    void the_history_shows_who_sent_the_admin_command_that_ended_a_term() { // M1, M4
        LeaseCandidate first = join("n1");
        threads.settle();
        election.control("alice").transferTo("n2", "an upgrade");
        threads.pass(Duration.ofSeconds(6));
        LeaseCandidate second = join("n2");
        threads.pass(Duration.ofSeconds(20));
        first.close();
        election.control("bob").resign("a test");
        threads.pass(Duration.ofSeconds(20));
        election.control("carol").pause("a backup");
        threads.pass(Duration.ofSeconds(6));
        election.control("carol").resume();
        threads.pass(Duration.ofSeconds(20));
        second.resign();
        threads.pass(Duration.ofSeconds(6));

        assertThat(second.history())
                .extracting(LeaseNotes.PastTerm::end, LeaseNotes.PastTerm::by, LeaseNotes.PastTerm::reason)
                .endsWith(tuple(LossCause.TRANSFERRED, "alice", "an upgrade"))
                .containsSubsequence(
                        tuple(LossCause.RESIGNED, "", ""),
                        tuple(LossCause.PAUSED, "carol", "a backup"),
                        tuple(LossCause.RESIGNED, "bob", "a test"));
    }

    @Test
    void a_candidate_that_loses_repeatedly_has_a_growing_backoff() {
        LeaseCandidate unlucky = join("n1");
        List<String> received = record(unlucky);
        threads.settle();
        List<Long> waits = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            store.fault(Fault.AWAY);
            threads.pass(Duration.ofSeconds(8));
            assertThat(unlucky.isLeader()).isFalse();
            store.fault(Fault.NONE);
            long waited = 0;
            while (!unlucky.isLeader()) {
                threads.pass(Duration.ofMillis(100));
                waited += 100;
            }
            waits.add(waited);
        }
        assertThat(received).filteredOn("lost EXPIRED"::equals).hasSize(3);
        assertThat(waits.get(2)).isGreaterThan(waits.get(0)).isLessThanOrEqualTo(10_000);
    }

    @Test
    void a_store_that_can_lose_terms_is_rejected_if_fencing_is_required() {
        assertThatThrownBy(() -> open(b -> b.fencing(Fencing.REQUIRED)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("requires fencing")
                .hasMessageContaining("one JVM");
    }

    private Optional<LeaseNotes.Pause> lastPause() {
        return store.read(election.name()).record().orElseThrow().notes().pause();
    }

    private Control controlOver(LeaseStore other) {
        return Election.lease("orders")
                .store(other)
                .threads(threads, () -> 7)
                .open()
                .control("ops");
    }

    private LeaseCandidate join(String id) {
        return election.join(id);
    }

    private Election open(UnaryOperator<LeaseElectionBuilder> settings) {
        return settings.apply(Election.lease("orders").store(store).threads(threads, seeds::incrementAndGet))
                .open();
    }

    private List<String> record(LeaseCandidate candidate) {
        List<String> received = new ArrayList<>();
        candidate.listen(new ElectionListener<LeaseLeadership>() {
            @Override
            public void elected(LeaseLeadership leadership) {
                received.add("elected " + leadership.term());
            }

            @Override
            public void lost(LossCause cause) {
                received.add("lost " + cause);
            }
        });
        return received;
    }
}
