package dev.doyen.hub.server.claims;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.elector.ElectionView;
import dev.doyen.elector.metrics.Latencies;
import dev.doyen.elector.metrics.StoreTally;
import dev.doyen.event.Leader;
import dev.doyen.event.SavedState;
import dev.doyen.hub.settings.Slot;
import dev.doyen.hub.step.Claimant;
import dev.doyen.metrics.StoreOperation;
import dev.doyen.metrics.StoreOutcome;
import dev.doyen.store.CasOutcome;
import dev.doyen.store.ForwardingLeaseStore;
import dev.doyen.store.LeaseNotes;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.VersionedLease;
import dev.doyen.testkit.FaultyLeaseStore;
import dev.doyen.testkit.FaultyLeaseStore.Fault;
import dev.doyen.testkit.ManualThreads;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ClaimRegistryTest {

    private static final ClaimSettings SETTINGS = ClaimSettings.of(Duration.ofSeconds(5), "counter");
    private static final Claimant ANN = new Claimant("counter", "ann", "c1");
    private static final Claimant BOB = new Claimant("counter", "bob", "c2");

    private final ManualThreads threads = new ManualThreads();
    private final FaultyLeaseStore store = new FaultyLeaseStore();
    private final List<String> results = new ArrayList<>();
    private final List<String> changes = new ArrayList<>();
    private final ClaimRegistry claims = claims();

    @Test
    void a_claim_on_a_free_channel_is_granted_with_a_stored_term() { // C3
        claims.claim(ANN);
        threads.settle();
        assertThat(results).containsExactly("granted ann 1");
        LeaseRecord stored = store.read("counter").record().orElseThrow();
        assertThat(stored.holder()).isEqualTo("ann");
        assertThat(stored.incarnation()).isEqualTo("c1");
        assertThat(stored.term()).isEqualTo(1);
    }

    @Test
    void a_held_claim_is_rejected_with_the_holder() { // C2
        claims.claim(ANN);
        threads.settle();
        claims.claim(BOB);
        threads.settle();
        assertThat(results).containsExactly("granted ann 1", "refused bob ann/1");
        claims.release(BOB);
        threads.pass(Duration.ofMinutes(1));
        assertThat(store.read("counter").record().orElseThrow().holder()).isEqualTo("ann");
    }

    @Test
    void a_released_claim_is_granted_to_the_next_at_once_with_the_next_term() { // C6
        claims.claim(ANN);
        threads.settle();
        claims.release(ANN);
        claims.claim(BOB);
        threads.settle();
        assertThat(results).containsExactly("granted ann 1", "granted bob 2");
        assertThat(changes).containsExactly("ann/1", "nobody/1", "bob/2");
    }

    @Test
    void the_same_client_on_another_connection_is_another_holder() { // C9
        claims.claim(ANN);
        threads.settle();
        claims.release(ANN);
        claims.claim(new Claimant("counter", "ann", "c9"));
        threads.settle();
        assertThat(results).containsExactly("granted ann 1", "granted ann 2");
    }

    @Test
    void a_claim_withdrawn_before_its_decision_is_released_and_never_reported() {
        claims.claim(ANN);
        claims.release(ANN);
        threads.settle();
        assertThat(results).isEmpty();
        assertThat(store.read("counter").record().filter(LeaseRecord::isHeld)).isEmpty();
    }

    @Test
    void a_repeated_claim_is_answered_by_its_own_attempt() {
        claims.claim(ANN);
        claims.release(ANN);
        claims.claim(ANN);
        threads.pass(Duration.ofSeconds(30));
        assertThat(results).hasSize(1).first().asString().startsWith("granted ann");
        assertThat(claims.find("counter").flatMap(ElectionView::leader)).isPresent();
    }

    @Test
    void a_late_release_of_an_attempt_does_not_end_the_next_attempt_of_its_member() { // C3
        claims.claim(ANN);
        threads.settle();
        claims.release(ANN);
        claims.claim(new Claimant("counter", Slot.LEADER, "ann", "c1", 1));
        claims.release(ANN);
        threads.pass(Duration.ofSeconds(30));
        claims.release(ANN);
        threads.pass(Duration.ofSeconds(30));
        assertThat(results).containsExactly("granted ann 1", "granted ann 2");
        assertThat(claims.find("counter").flatMap(ElectionView::leader)).contains(new Leader("ann", 2));
    }

    @Test
    void held_claims_and_requests_to_the_store_are_counted() {
        claims.claim(ANN);
        threads.settle();
        claims.claim(BOB);
        threads.settle();
        ClaimCounts held = claims.counts();
        assertThat(held.held()).isEqualTo(1);
        assertThat(held.requestsWaiting()).isZero();
        assertThat(calls(held, StoreOperation.READ, StoreOutcome.ANSWERED)).isPositive();
        assertThat(calls(held, StoreOperation.COMPARE_AND_SET, StoreOutcome.WRITTEN))
                .isEqualTo(1);
        assertThat(errors(held)).isZero();

        claims.release(ANN);
        threads.settle();
        assertThat(claims.counts().held()).isZero();
        store.fault(Fault.AWAY);
        threads.pass(Duration.ofSeconds(5));
        assertThat(errors(claims.counts())).isPositive();
    }

    private static long calls(ClaimCounts counts, StoreOperation operation, StoreOutcome outcome) {
        return counts.store()
                .calls()
                .getOrDefault(new StoreTally.Call(operation, outcome), Latencies.NONE)
                .count();
    }

    private static long errors(ClaimCounts counts) {
        return counts.store().errors().values().stream()
                .mapToLong(Long::longValue)
                .sum();
    }

    @Test
    void a_store_that_does_not_answer_for_a_ttl_is_a_fault() {
        threads.pass(Duration.ofMinutes(1));
        assertThat(claims.faults()).isEmpty();
        store.fault(Fault.AWAY);
        threads.pass(Duration.ofSeconds(5));
        threads.pass(Duration.ofSeconds(1));
        assertThat(claims.faults()).singleElement().asString().startsWith("the store has not answered for ");
        store.fault(Fault.NONE);
        threads.pass(Duration.ofMinutes(1));
        assertThat(claims.faults()).isEmpty();
    }

    @Test
    void a_late_win_of_a_withdrawn_claim_is_not_assigned_to_the_next() { // C3
        var meanwhile = new ArrayDeque<Runnable>();
        var slow = new ForwardingLeaseStore(store) {
            @Override
            public VersionedLease read(String election) {
                return behind().read(election);
            }

            @Override
            public CasOutcome compareAndSet(String election, LeaseVersion expected, LeaseRecord next) {
                CasOutcome outcome = behind().compareAndSet(election, expected, next);
                // The hub releases the claim before the answer of the store arrives, so the election processes the
                // release before the answer.
                meanwhile.forEach(Runnable::run);
                meanwhile.clear();
                return outcome;
            }
        };
        var hasty = new ClaimRegistry(slow, SETTINGS, () -> 1, threads);
        hasty.start(new RecordedOutcomes(results), view -> {});
        threads.settle();
        meanwhile.add(() -> hasty.release(ANN));
        meanwhile.add(() -> hasty.claim(BOB));
        hasty.claim(ANN);
        threads.settle();
        assertThat(results).containsExactly("granted bob 2");
        assertThat(store.read("counter").record().orElseThrow().holder()).isEqualTo("bob");
    }

    @Test
    void the_lease_of_a_killed_hub_is_respected_until_its_expiry() { // L3, C3
        claims.claim(ANN);
        threads.settle();
        var restarted = new ManualThreads();
        var again = new ClaimRegistry(store, SETTINGS, () -> 2, restarted);
        again.start(new RecordedOutcomes(results), view -> {});
        restarted.settle();
        again.claim(BOB);
        restarted.settle();
        assertThat(results).containsExactly("granted ann 1", "refused bob ann/1");
        restarted.pass(Duration.ofMillis(4_999));
        again.claim(BOB);
        restarted.settle();
        assertThat(results).hasSize(3).last().isEqualTo("refused bob ann/1");
        restarted.pass(Duration.ofMillis(2));
        again.claim(BOB);
        restarted.settle();
        assertThat(results).last().isEqualTo("granted bob 2");
    }

    @Test
    void a_claim_that_ends_in_the_store_is_reported_once() { // C8
        claims.claim(ANN);
        threads.settle();
        store.fault(Fault.AWAY);
        threads.pass(Duration.ofSeconds(20));
        store.fault(Fault.NONE);
        threads.pass(Duration.ofSeconds(20));
        assertThat(results).containsExactly("granted ann 1", "lost ann 1 EXPIRED");
        claims.release(ANN);
        claims.claim(BOB);
        threads.settle();
        assertThat(results).last().isEqualTo("granted bob 2");
    }

    @Test
    void a_claim_during_a_store_outage_waits_and_is_granted_afterwards() {
        store.fault(Fault.AWAY);
        claims.claim(ANN);
        threads.pass(Duration.ofSeconds(3));
        assertThat(results).isEmpty();
        store.fault(Fault.NONE);
        threads.pass(Duration.ofSeconds(3));
        assertThat(results).containsExactly("granted ann 1");
    }

    @Test
    void a_claim_is_renewed_while_it_is_held() {
        claims.claim(ANN);
        threads.pass(Duration.ofHours(1));
        assertThat(results).containsExactly("granted ann 1");
        assertThat(claims.find("counter").flatMap(ElectionView::leader)).contains(new Leader("ann", 1));
    }

    @Test
    void the_elector_reports_only_watched_elections() {
        assertThat(claims.find("unknown")).isEmpty();
        assertThat(claims.find("counter"))
                .as("the election is unknown before the store has answered")
                .isEmpty();
        threads.settle();
        assertThat(claims.find("counter").orElseThrow().leader()).isEmpty();
        claims.claim(ANN);
        claims.claim(new Claimant("another", "eve", "c3"));
        threads.settle();
        assertThat(claims.list()).extracting(ElectionView::name).containsExactly("another", "counter");
    }

    @Test
    void saved_state_survives_the_hub_and_reaches_the_next_holder() { // C17
        claims.claim(ANN);
        threads.settle();
        claims.save(ANN, 1, 1, SavedState.ofText("one"));
        claims.save(ANN, 1, 2, SavedState.ofText("two"));
        threads.settle();
        assertThat(results).first().isEqualTo("granted ann 1");
        assertThat(results).last().isEqualTo("saved ann 1 2");
        assertThat(claims.left("counter").text()).isEqualTo("two");
        claims.release(ANN);
        claims.save(ANN, 1, 3, SavedState.ofText("late"));
        claims.claim(BOB);
        threads.settle();
        assertThat(results).last().isEqualTo("granted bob 2 with two");
        claims.save(BOB, 2, 1, SavedState.ofText("three"));
        claims.save(ANN, 1, 4, SavedState.ofText("late"));
        threads.settle();
        assertThat(results).last().isEqualTo("saved bob 2 1");
        var restarted = new ManualThreads();
        var again = new ClaimRegistry(store, SETTINGS, () -> 2, restarted);
        again.start(new RecordedOutcomes(results), view -> {});
        restarted.pass(Duration.ofSeconds(6));
        again.claim(ANN);
        restarted.settle();
        assertThat(results).last().isEqualTo("granted ann 3 with three");
    }

    @Test
    void a_paused_election_ends_the_claim_and_rejects_the_next_one() { // M1, C16
        claims.claim(ANN);
        threads.settle();
        var pause = new LeaseNotes.Pause("operator", "a backup", java.time.Instant.EPOCH);
        var held = store.read("counter");
        store.compareAndSet(
                "counter",
                held.version(),
                held.record()
                        .orElseThrow()
                        .noting(held.record().orElseThrow().notes().withPause(Optional.of(pause)), "note"));
        threads.pass(Duration.ofSeconds(5));
        assertThat(results).containsExactly("granted ann 1", "lost ann 1 PAUSED");
        claims.release(ANN);
        claims.claim(BOB);
        threads.settle();
        assertThat(results).last().isEqualTo("paused bob the election was paused by operator (a backup)");
    }

    @Test
    void C19_a_lease_that_an_admin_command_ends_is_released_after_its_holder_has_stopped() {
        claims.claim(ANN);
        threads.settle();
        claims.execute("counter", "operator", control -> control.resign("a backup"));
        threads.pass(Duration.ofSeconds(2));
        assertThat(results).containsExactly("granted ann 1", "lost ann 1 RESIGNED");
        assertThat(store.read("counter").record().orElseThrow().holder()).isEqualTo("ann");
        claims.claim(BOB);
        threads.settle();
        assertThat(results).as("the next claim waits too").hasSize(2);
        claims.release(ANN);
        threads.settle();
        assertThat(results).last().isEqualTo("granted bob 2");
    }

    @Test
    void closing_releases_all_claims() throws Exception {
        var granted = new CountDownLatch(1);
        var real = new ClaimRegistry(store, ClaimSettings.of(Duration.ofSeconds(5)), () -> 1);
        real.start(
                new RecordedOutcomes(results) {
                    @Override
                    public void granted(Claimant claimant, long term, SavedState left) {
                        granted.countDown();
                    }
                },
                view -> {});
        real.claim(ANN);
        assertThat(granted.await(60, TimeUnit.SECONDS)).isTrue();
        real.close();
        LeaseRecord left = store.read("counter").record().orElseThrow();
        assertThat(left.isHeld()).isFalse();
        assertThat(left.term()).isEqualTo(1);
    }

    @Test
    void C20_the_lease_of_an_abandoned_claim_is_not_released_and_expires() throws Exception {
        var granted = new CountDownLatch(2);
        var real = new ClaimRegistry(store, ClaimSettings.of(Duration.ofSeconds(5)), () -> 1);
        real.start(
                new RecordedOutcomes(results) {
                    @Override
                    public void granted(Claimant claimant, long term, SavedState left) {
                        granted.countDown();
                    }
                },
                view -> {});
        real.claim(ANN);
        real.claim(new Claimant("other", "bob", "c2"));
        assertThat(granted.await(60, TimeUnit.SECONDS)).isTrue();
        real.abandon(ANN);
        real.abandon(new Claimant("other", "somebody", "c9"));
        real.close();
        assertThat(store.read("counter").record().orElseThrow().isHeld()).isTrue();
        assertThat(store.read("other").record().orElseThrow().isHeld())
                .as("only the lease of the holder is abandoned")
                .isFalse();
    }

    private ClaimRegistry claims() {
        var made = new ClaimRegistry(store, SETTINGS, () -> 1, threads);
        made.start(
                new RecordedOutcomes(results),
                view -> changes.add(view.leader().map(Leader::id).orElse("nobody") + "/" + view.lastTerm()));
        return made;
    }
}
