package dev.doyen.sidecar.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.elector.AdminAccess;
import dev.doyen.sidecar.Mode;
import dev.doyen.sidecar.Release;
import dev.doyen.sidecar.SidecarSettings;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseStores;
import dev.doyen.testkit.RefusableThreads;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
final class SidecarCandidateTest {

    private static final Duration LONG = Duration.ofMinutes(10);

    @Test
    void a_sidecar_without_a_thread_for_the_release_still_ends() throws Exception { // L8
        var leads = new CountDownLatch(1);
        var settings = new SidecarSettings(
                "e", "me", LONG, Mode.LEASE, Release.AT_ONCE, LONG, OptionalInt.empty(), AdminAccess.LOOPBACK);
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
            sidecarCandidate.open(LeaseStores.open("memory:" + UUID.randomUUID()), Optional.empty());
            assertThat(leads.await(20, TimeUnit.SECONDS)).isTrue();

            sidecarCandidate.leave();
            sidecarCandidate.ended().get(30, TimeUnit.SECONDS);
        } finally {
            sidecarCandidate.close();
        }
    }

    @Test
    void the_lease_is_released_only_after_the_loss_was_sent_to_the_streams() throws Exception { // L6
        var written = new CompletableFuture<Void>();
        var called = new CountDownLatch(1);
        var leads = new CountDownLatch(1);
        var settings = new SidecarSettings(
                "e", "me", LONG, Mode.LEASE, Release.AT_ONCE, LONG, OptionalInt.empty(), AdminAccess.LOOPBACK);
        var sidecarCandidate = new SidecarCandidate(
                settings,
                AppSigns.ofPort(OptionalInt.empty()),
                view -> view.leader().ifPresent(leader -> leads.countDown()),
                () -> {
                    called.countDown();
                    return written;
                });
        try {
            sidecarCandidate.open(LeaseStores.open("memory:" + UUID.randomUUID()), Optional.empty());
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
