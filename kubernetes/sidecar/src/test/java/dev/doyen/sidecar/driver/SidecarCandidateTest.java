package dev.doyen.sidecar.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.Election;
import dev.doyen.election.HealthCheck;
import dev.doyen.elector.AdminAccess;
import dev.doyen.elector.ElectionView;
import dev.doyen.event.Explanation;
import dev.doyen.sidecar.Mode;
import dev.doyen.sidecar.Release;
import dev.doyen.sidecar.SidecarSettings;
import dev.doyen.sidecar.StartGate;
import dev.doyen.store.CasOutcome;
import dev.doyen.store.ForwardingLeaseStore;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.StoreUnavailableException;
import dev.doyen.store.VersionedLease;
import dev.doyen.testkit.RefusableThreads;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
final class SidecarCandidateTest {

    private static final Duration LONG = Duration.ofMinutes(10);

    @Test
    void a_sidecar_without_a_thread_for_the_release_still_ends() throws Exception { // L8
        var leads = new CountDownLatch(1);
        var settings = new SidecarSettings(
                "e", "me", LONG, 0, Mode.LEASE, Release.AT_ONCE, LONG, OptionalInt.empty(), AdminAccess.LOOPBACK);
        var sidecarCandidate = new SidecarCandidate(
                settings,
                AppSigns.ofPort(OptionalInt.empty()),
                view -> view.leader().ifPresent(leader -> {
                    leads.countDown();
                    throw new OutOfMemoryError("on purpose");
                }),
                () -> CompletableFuture.completedFuture(null),
                new RefusableThreads(() -> true));
        try {
            sidecarCandidate.open(LeaseStore.open("memory:" + UUID.randomUUID()), Optional.empty());
            assertThat(leads.await(20, TimeUnit.SECONDS)).isTrue();

            sidecarCandidate.leave();
            sidecarCandidate.ended().get(30, TimeUnit.SECONDS);
        } finally {
            sidecarCandidate.close();
        }
    }

    @Test
    void without_a_leader_an_app_starts_after_ten_seconds_only_if_a_call_of_the_store_has_ended() throws Exception {
        var sidecarCandidate = candidate("first");
        // The gate was created before this time minus its limit.
        long later = System.nanoTime() + StartGate.PATIENCE.toNanos();
        try {
            assertThat(sidecarCandidate.isStartedAt(later)).isFalse();

            sidecarCandidate.cannotOpen(new StoreUnavailableException("away"), 1);
            await(() -> sidecarCandidate.isStartedAt(later));
        } finally {
            sidecarCandidate.close();
        }
    }

    @Test
    void an_app_starts_before_its_health_is_known_if_nobody_leads() throws Exception {
        long begin = System.nanoTime();
        var store = "memory:" + UUID.randomUUID();
        var unhealthy = HealthCheck.of(() -> false).every(Duration.ofMillis(10));
        var first = candidate("first");
        var second = candidate("second");
        var third = candidate("third");
        try {
            assertThat(first.isStartedAt(begin)).isFalse();
            first.open(LeaseStore.open(store), Optional.of(unhealthy));
            // At the time begin, the gate is not open because of its time limit.
            await(() -> first.isStartedAt(begin));

            // If another candidate leads, the app starts only when the sidecar can report this leader.
            try (var election = Election.lease("e").store(store).ttl(LONG).open()) {
                var leader = election.join("leader");
                await(leader::isLeader);
                second.open(LeaseStore.open(store), Optional.of(unhealthy));
                await(() -> second.isStartedAt(begin));
                assertThat(second.known().view().flatMap(ElectionView::leader)).isPresent();
                assertThat(second.known().isVacant()).isFalse();
            }

            // Without an answer of the store, the sidecar does not know whether another candidate leads.
            third.open(new SilentStore(LeaseStore.open(store)), Optional.of(unhealthy));
            await(() -> third.known()
                    .whyUnknown("e")
                    .filter(why -> why.reason() == Explanation.Reason.STORE_AWAY)
                    .isPresent());
            assertThat(third.isStartedAt(begin)).isFalse();
        } finally {
            first.close();
            second.close();
            third.close();
        }
    }

    /** A store that answers no request. */
    private static final class SilentStore extends ForwardingLeaseStore {

        SilentStore(LeaseStore store) {
            super(store);
        }

        @Override
        public VersionedLease read(String election) {
            throw new StoreUnavailableException("on purpose");
        }

        @Override
        public CasOutcome compareAndSet(String election, LeaseVersion expected, LeaseRecord next) {
            return new CasOutcome.Unknown("on purpose");
        }
    }

    private static SidecarCandidate candidate(String id) {
        var settings = new SidecarSettings(
                "e", id, LONG, 0, Mode.LEASE, Release.AT_ONCE, LONG, OptionalInt.empty(), AdminAccess.LOOPBACK);
        return new SidecarCandidate(
                settings,
                AppSigns.ofPort(OptionalInt.empty()),
                view -> {},
                () -> CompletableFuture.completedFuture(null));
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(90);
        while (!condition.getAsBoolean()) {
            assertThat(until - System.nanoTime()).as("true in time").isPositive();
            new Semaphore(0).tryAcquire(5, TimeUnit.MILLISECONDS);
        }
    }

    @Test
    void the_lease_is_released_only_after_the_loss_was_sent_to_the_streams() throws Exception { // L6
        var written = new CompletableFuture<Void>();
        var called = new CountDownLatch(1);
        var leads = new CountDownLatch(1);
        var settings = new SidecarSettings(
                "e", "me", LONG, 0, Mode.LEASE, Release.AT_ONCE, LONG, OptionalInt.empty(), AdminAccess.LOOPBACK);
        var sidecarCandidate = new SidecarCandidate(
                settings,
                AppSigns.ofPort(OptionalInt.empty()),
                view -> view.leader().ifPresent(leader -> leads.countDown()),
                () -> {
                    called.countDown();
                    return written;
                });
        try {
            sidecarCandidate.open(LeaseStore.open("memory:" + UUID.randomUUID()), Optional.empty());
            assertThat(leads.await(60, TimeUnit.SECONDS)).isTrue();

            var resigned = sidecarCandidate.opened().orElseThrow().candidate().resign();
            assertThat(called.await(60, TimeUnit.SECONDS)).isTrue();
            assertThat(sidecarCandidate.leads()).isFalse();
            assertThat(sidecarCandidate.read().record().filter(LeaseRecord::isHeld))
                    .isPresent();

            written.complete(null);
            resigned.get(60, TimeUnit.SECONDS);
            assertThat(sidecarCandidate.read().record().filter(LeaseRecord::isHeld))
                    .isEmpty();
        } finally {
            sidecarCandidate.close();
        }
    }
}
