package dev.doyen;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.stores.local.MemoryLeaseStore;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests the futures of calls around the end of a candidate (rule L8). */
@Timeout(180)
class LeaveTest {

    private final CountDownLatch held = new CountDownLatch(1);

    @Test
    void code_that_follows_a_leave_can_wait_for_another_leave() throws Exception {
        try (Elections elections = Elections.lease()
                .store(new MemoryLeaseStore())
                .ttl(Duration.ofHours(1))
                .open()) {
            var election = (LeaseElection) elections.named("orders");
            LeaseCandidate a = election.join("a");
            LeaseCandidate b = election.join("b");
            var loop = new CompletableFuture<Thread>();
            election.threads().loop(() -> {
                loop.complete(Thread.currentThread());
                awaitQuietly(held);
            });
            var next = new CompletableFuture<Thread>();
            CompletableFuture<Void> both = a.leave().thenCompose(left -> {
                next.complete(Thread.currentThread());
                return b.leave();
            });
            held.countDown();

            assertThat(next.get(60, TimeUnit.SECONDS)).isNotSameAs(loop.get(60, TimeUnit.SECONDS));
            assertThat(both.get(60, TimeUnit.SECONDS)).isNull();
        }
    }

    @Test
    void a_call_that_the_loop_carries_out_after_the_close_completes() throws Exception {
        var election = (LeaseElection)
                Election.lease("orders").store(new MemoryLeaseStore()).open();
        LeaseCandidate candidate = election.join("a");
        candidate.leave().get(60, TimeUnit.SECONDS);
        election.threads().loop(() -> awaitQuietly(held));
        CompletableFuture<Void> resigned = candidate.resign();
        election.close();
        held.countDown();

        assertThat(resigned.get(60, TimeUnit.SECONDS)).isNull();
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
