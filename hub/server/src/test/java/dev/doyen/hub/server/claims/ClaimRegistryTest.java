package dev.doyen.hub.server.claims;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.election.LeaseTiming;
import dev.doyen.elector.ElectionView;
import dev.doyen.event.Leader;
import dev.doyen.event.LossCause;
import dev.doyen.event.SavedState;
import dev.doyen.hub.step.Claimant;
import dev.doyen.store.CasOutcome;
import dev.doyen.store.ForwardingLeaseStore;
import dev.doyen.store.LeasePause;
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

    private static final LeaseTiming TIMING = LeaseTiming.ofTtl(Duration.ofSeconds(5));
    private static final Claimant ANN = new Claimant("counter", "ann", "c1");
    private static final Claimant BOB = new Claimant("counter", "bob", "c2");

    private final ManualThreads threads = new ManualThreads();
    private final FaultyLeaseStore store = new FaultyLeaseStore();
    private final List<String> results = new ArrayList<>();
    private final List<String> changes = new ArrayList<>();
    private final ClaimRegistry keeper = keeper();

    @Test
    void a_claim_on_a_vacant_channel_is_granted_with_a_term_that_is_already_stored() { // C3
        keeper.claim(ANN);
        threads.settle();
        assertThat(results).containsExactly("granted ann 1");
        LeaseRecord stored = store.read("counter").record().orElseThrow();
        assertThat(stored.holder()).isEqualTo("ann");
        assertThat(stored.incarnation()).isEqualTo("c1");
        assertThat(stored.term()).isEqualTo(1);
    }

    @Test
    void a_claim_held_here_is_refused_to_others_naming_the_holder() { // C2
        keeper.claim(ANN);
        threads.settle();
        keeper.claim(BOB);
        threads.settle();
        assertThat(results).containsExactly("granted ann 1", "refused bob ann/1");
        keeper.release(BOB);
        threads.pass(Duration.ofMinutes(1));
        assertThat(store.read("counter").record().orElseThrow().holder()).isEqualTo("ann");
    }

    @Test
    void a_released_claim_is_granted_to_the_next_at_once_with_the_next_term() { // C6
        keeper.claim(ANN);
        threads.settle();
        keeper.release(ANN);
        keeper.claim(BOB);
        threads.settle();
        assertThat(results).containsExactly("granted ann 1", "granted bob 2");
        assertThat(changes).containsExactly("ann/1", "nobody/1", "bob/2");
    }

    @Test
    void the_same_client_on_another_connection_is_another_holder() { // C9
        keeper.claim(ANN);
        threads.settle();
        keeper.release(ANN);
        keeper.claim(new Claimant("counter", "ann", "c9"));
        threads.settle();
        assertThat(results).containsExactly("granted ann 1", "granted ann 2");
    }

    @Test
    void a_claim_released_before_it_was_decided_is_given_back_and_never_reported() {
        keeper.claim(ANN);
        keeper.release(ANN);
        threads.settle();
        assertThat(results).isEmpty();
        assertThat(store.read("counter").record().filter(LeaseRecord::isHeld)).isEmpty();
    }

    @Test
    void the_same_claim_made_again_is_answered_by_its_own_attempt_and_not_by_the_one_before() {
        keeper.claim(ANN);
        keeper.release(ANN);
        keeper.claim(ANN);
        threads.pass(Duration.ofSeconds(30));
        assertThat(results).hasSize(1).first().asString().startsWith("granted ann");
        assertThat(keeper.find("counter").flatMap(ElectionView::leader)).isPresent();
    }

    @Test
    void what_a_withdrawn_claim_wins_after_all_is_not_the_next_ones() { // C3
        var meanwhile = new ArrayDeque<Runnable>();
        var slow = new ForwardingLeaseStore(store) {
            @Override
            public VersionedLease read(String election) {
                return behind().read(election);
            }

            @Override
            public CasOutcome compareAndSet(String election, LeaseVersion expected, LeaseRecord next) {
                CasOutcome outcome = behind().compareAndSet(election, expected, next);
                // The hub releases the claim before the answer arrives. The election receives both in this order.
                meanwhile.forEach(Runnable::run);
                meanwhile.clear();
                return outcome;
            }
        };
        var hasty = new ClaimRegistry(slow, TIMING, () -> 1, List.of("counter"), threads);
        hasty.start(new Recorder(), view -> {});
        threads.settle();
        meanwhile.add(() -> hasty.release(ANN));
        meanwhile.add(() -> hasty.claim(BOB));
        hasty.claim(ANN);
        threads.settle();
        assertThat(results).containsExactly("granted bob 2");
        assertThat(store.read("counter").record().orElseThrow().holder()).isEqualTo("bob");
    }

    @Test
    void the_lease_of_a_hub_that_was_killed_is_respected_until_it_runs_out() { // L3, C3
        keeper.claim(ANN);
        threads.settle();
        var restarted = new ManualThreads();
        var again = new ClaimRegistry(store, TIMING, () -> 2, List.of("counter"), restarted);
        again.start(new Recorder(), view -> {});
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
    void a_claim_that_ends_in_the_store_is_reported_once_and_not_taken_again_by_itself() { // C8
        keeper.claim(ANN);
        threads.settle();
        store.fault(Fault.AWAY);
        threads.pass(Duration.ofSeconds(20));
        store.fault(Fault.NONE);
        threads.pass(Duration.ofSeconds(20));
        assertThat(results).containsExactly("granted ann 1", "lost ann 1 EXPIRED");
        keeper.release(ANN);
        keeper.claim(BOB);
        threads.settle();
        assertThat(results).last().isEqualTo("granted bob 2");
    }

    @Test
    void a_claim_while_the_store_is_away_waits_and_is_granted_when_it_is_back() {
        store.fault(Fault.AWAY);
        keeper.claim(ANN);
        threads.pass(Duration.ofSeconds(3));
        assertThat(results).isEmpty();
        store.fault(Fault.NONE);
        threads.pass(Duration.ofSeconds(3));
        assertThat(results).containsExactly("granted ann 1");
    }

    @Test
    void a_claim_is_renewed_for_as_long_as_it_is_held() {
        keeper.claim(ANN);
        threads.pass(Duration.ofHours(1));
        assertThat(results).containsExactly("granted ann 1");
        assertThat(keeper.find("counter").flatMap(ElectionView::leader)).contains(new Leader("ann", 1));
    }

    @Test
    void the_elector_sees_what_is_watched_from_the_start_and_nothing_it_cannot_know() {
        assertThat(keeper.find("unheard-of")).isEmpty();
        assertThat(keeper.find("counter")).as("before the store has answered").isEmpty();
        threads.settle();
        assertThat(keeper.find("counter").orElseThrow().leader()).isEmpty();
        keeper.claim(ANN);
        keeper.claim(new Claimant("another", "eve", "c3"));
        threads.settle();
        assertThat(keeper.list()).extracting(ElectionView::name).containsExactly("another", "counter");
    }

    @Test
    void what_a_holder_saves_is_confirmed_and_handed_to_the_next_and_survives_the_hub() { // C17
        keeper.claim(ANN);
        threads.settle();
        keeper.save(ANN, 1, 1, SavedState.ofText("one"));
        keeper.save(ANN, 1, 2, SavedState.ofText("two"));
        threads.settle();
        assertThat(results).first().isEqualTo("granted ann 1");
        assertThat(results).last().isEqualTo("saved ann 1 2");
        assertThat(keeper.left("counter").text()).isEqualTo("two");
        keeper.release(ANN);
        keeper.save(ANN, 1, 3, SavedState.ofText("late"));
        keeper.claim(BOB);
        threads.settle();
        assertThat(results).last().isEqualTo("granted bob 2 with two");
        keeper.save(BOB, 2, 1, SavedState.ofText("three"));
        keeper.save(ANN, 1, 4, SavedState.ofText("late"));
        threads.settle();
        assertThat(results).last().isEqualTo("saved bob 2 1");
        var restarted = new ManualThreads();
        var again = new ClaimRegistry(store, TIMING, () -> 2, List.of("counter"), restarted);
        again.start(new Recorder(), view -> {});
        restarted.pass(Duration.ofSeconds(6));
        again.claim(ANN);
        restarted.settle();
        assertThat(results).last().isEqualTo("granted ann 3 with three");
    }

    @Test
    void a_paused_election_ends_the_claim_and_refuses_the_next_with_the_reason() { // M1, C16
        keeper.claim(ANN);
        threads.settle();
        var pause = new LeasePause("operator", "a backup", java.time.Instant.EPOCH);
        var held = store.read("counter");
        store.compareAndSet(
                "counter",
                held.version(),
                held.record()
                        .orElseThrow()
                        .noting(held.record().orElseThrow().notes().withPause(Optional.of(pause)), "note"));
        threads.pass(Duration.ofSeconds(5));
        assertThat(results).containsExactly("granted ann 1", "lost ann 1 PAUSED");
        keeper.release(ANN);
        keeper.claim(BOB);
        threads.settle();
        assertThat(results).last().isEqualTo("paused bob the election was paused by operator (a backup)");
    }

    @Test
    void C19_a_lease_that_an_order_in_its_record_ends_is_kept_until_the_hub_says_that_its_holder_has_stopped() {
        keeper.claim(ANN);
        threads.settle();
        keeper.ask("counter", "operator", control -> control.resign("a backup"));
        threads.pass(Duration.ofSeconds(2));
        assertThat(results).containsExactly("granted ann 1", "lost ann 1 RESIGNED");
        assertThat(store.read("counter").record().orElseThrow().holder()).isEqualTo("ann");
        keeper.claim(BOB);
        threads.settle();
        assertThat(results).as("who comes next waits too").hasSize(2);
        keeper.release(ANN);
        threads.settle();
        assertThat(results).last().isEqualTo("granted bob 2");
    }

    @Test
    void closing_gives_everything_back() throws Exception {
        var granted = new CountDownLatch(1);
        var real = new ClaimRegistry(store, TIMING, () -> 1, List.of());
        real.start(
                new Recorder() {
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
    void C20_an_abandoned_claim_is_not_given_back_and_runs_out() throws Exception {
        var granted = new CountDownLatch(2);
        var real = new ClaimRegistry(store, TIMING, () -> 1, List.of());
        real.start(
                new Recorder() {
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
                .as("it is for its holder alone to be abandoned")
                .isFalse();
    }

    private ClaimRegistry keeper() {
        var made = new ClaimRegistry(store, TIMING, () -> 1, List.of("counter"), threads);
        made.start(
                new Recorder(),
                view -> changes.add(view.leader().map(Leader::id).orElse("nobody") + "/" + view.lastTerm()));
        return made;
    }

    private class Recorder implements ClaimOutcomes {
        @Override
        public void granted(Claimant claimant, long term, SavedState left) {
            String what = left.isEmpty() ? "" : " with " + left.text();
            results.add("granted " + claimant.clientId() + " " + term + what);
        }

        @Override
        public void saved(Claimant claimant, long term, long number) {
            results.add("saved " + claimant.clientId() + " " + term + " " + number);
        }

        @Override
        public void refused(Claimant claimant, Optional<Leader> holder) {
            results.add("refused " + claimant.clientId() + " "
                    + holder.map(l -> l.id() + "/" + l.term()).orElse("?"));
        }

        @Override
        public void paused(Claimant claimant, String why) {
            results.add("paused " + claimant.clientId() + " " + why);
        }

        @Override
        public void lost(Claimant claimant, long term, LossCause cause) {
            results.add("lost " + claimant.clientId() + " " + term + " " + cause);
        }
    }
}
