package dev.doyen.hub.server.claims;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.event.Leader;
import dev.doyen.event.SavedState;
import dev.doyen.hub.step.Claimant;
import dev.doyen.log.LineLimiter;
import dev.doyen.store.CasOutcome;
import dev.doyen.store.ForwardingLeaseStore;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.VersionedLease;
import dev.doyen.stores.local.MemoryLeaseStore;
import dev.doyen.testkit.LogLines;
import dev.doyen.testkit.ManualThreads;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests that a client which claims many channels harms neither the leaders nor the log. */
@Timeout(180)
class ClaimFloodTest {

    private static final int CLAIMS = 1_000;
    private static final Duration TTL = Duration.ofMinutes(10);
    private static final Claimant ANN = new Claimant("counter", "ann", "c1");
    private static final Claimant BOB = new Claimant("late", "bob", "c2");

    private final BlockingQueue<String> results = new LinkedBlockingQueue<>();

    @Test
    void a_leader_keeps_its_term_while_new_elections_hang_in_the_store() throws Exception {
        var threads = new JumpingThreads();
        var store = new HangingStore();
        var claims = new ClaimRegistry(store, ClaimSettings.of(TTL, "counter"), () -> 1, threads);
        try {
            claims.start(new RecordedOutcomes(results), view -> {});
            claims.claim(ANN);
            assertThat(next()).isEqualTo("granted ann 1");

            flood(claims);
            assertThat(store.hanging.await(60, TimeUnit.SECONDS)).isTrue();
            // Each save also renews the lease. Together, the jumps of the clock are longer than the ttl.
            for (int i = 1; i <= 20; i++) {
                threads.jump(TTL.dividedBy(6));
                claims.save(ANN, 1, i, SavedState.ofText("state " + i));
                assertThat(next()).isEqualTo("saved ann 1 " + i);
            }

            store.released.countDown();
            claims.claim(BOB);
            assertThat(next()).isEqualTo("granted bob 1");
            assertThat(claims.find("counter").orElseThrow().leader()).contains(new Leader("ann", 1));
        } finally {
            store.released.countDown();
            claims.close();
        }
    }

    @Test
    void a_flood_of_claims_leaves_most_lines_out_of_the_log_and_counts_them() {
        var threads = new ManualThreads();
        var claims = new ClaimRegistry(new MemoryLeaseStore(), ClaimSettings.of(TTL), () -> 1, threads);
        claims.start(ClaimOutcomes.NOBODY, view -> {});
        try (var lines = new LogLines("election=flood ");
                var counts = new LogLines("900 lines were left out")) {
            flood(claims);
            threads.settle();
            assertThat(lines.lines()).hasSize(LineLimiter.AT_ONCE);
            threads.pass(Duration.ofSeconds(10));
            claimants().forEach(claims::release);
            threads.pass(Duration.ofSeconds(10));

            assertThat(lines.lines()).hasSize(2 * LineLimiter.AT_ONCE);
            String counted = "900 lines were left out, because more than 10 lines per second were due: ";
            assertThat(counts.warnings()).containsExactly(counted + "900 Elected", counted + "900 Lost RESIGNED");
        }
    }

    private void flood(ClaimRegistry claims) {
        claimants().forEach(claims::claim);
    }

    private static List<Claimant> claimants() {
        return IntStream.range(0, CLAIMS)
                .mapToObj(i -> new Claimant("flood " + i, "mallory", "c3"))
                .toList();
    }

    /** Returns the next outcome that does not belong to the flood; the text "null" if none arrives. */
    private String next() throws InterruptedException {
        String next = results.poll(60, TimeUnit.SECONDS);
        while (next != null && next.contains("mallory")) {
            next = results.poll(60, TimeUnit.SECONDS);
        }
        return String.valueOf(next);
    }

    /** A store in which every call about a flooded election hangs until the test releases all calls. */
    private static final class HangingStore extends ForwardingLeaseStore {
        /** Reaches zero when six calls hang. Apart from renewals, the registry makes at most six calls at a time. */
        final CountDownLatch hanging = new CountDownLatch(6);

        final CountDownLatch released = new CountDownLatch(1);

        HangingStore() {
            super(new MemoryLeaseStore());
        }

        private void call(String election) {
            if (election.startsWith("flood ")) {
                hanging.countDown();
                try {
                    released.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        }

        @Override
        public VersionedLease read(String election) {
            call(election);
            return behind().read(election);
        }

        @Override
        public CasOutcome compareAndSet(String election, LeaseVersion expected, LeaseRecord next) {
            call(election);
            return behind().compareAndSet(election, expected, next);
        }
    }
}
