package dev.doyen.elector.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.elector.AdminCommand;
import dev.doyen.elector.ElectionView;
import dev.doyen.event.Leader;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class LeaderWaitTest {

    private static final Leader ANN = new Leader("ann", 3);
    private static final Duration LONG = Duration.ofMinutes(10);

    private final AtomicReference<Optional<ElectionView>> known = new AtomicReference<>(view(Optional.of(ANN), 3));
    private final LeaderWait waits = new LeaderWait(known::get, Duration.ofSeconds(10));

    @Test
    void a_transfer_succeeds_when_the_successor_leads() {
        var reply = waits.transferred(ANN, "bob", LONG);
        known.set(view(Optional.empty(), 3));
        known.set(view(Optional.of(new Leader("bob", 4)), 4));

        assertThat(text(reply)).startsWith("200 ").contains("\\\"bob\\\" leads now, in term 4");
    }

    @Test
    void a_leader_other_than_the_successor_is_a_conflict() {
        var reply = waits.transferred(ANN, "bob", LONG);
        known.set(view(Optional.of(new Leader("eve", 4)), 4));

        assertThat(text(reply))
                .startsWith("409 ")
                .contains("\\\"eve\\\" leads now, in term 4, because \\\"bob\\\" did not take over")
                .contains("\"leader\":{\"id\":\"eve\",\"term\":4}");
    }

    @Test
    void a_former_leader_that_leads_again_is_another_leader() {
        known.set(view(Optional.of(new Leader("ann", 4)), 4));

        assertThat(text(waits.transferred(ANN, "bob", LONG))).startsWith("409 ");
    }

    @Test
    void the_wait_is_limited() {
        assertThat(text(waits.transferred(ANN, "bob", Duration.ofMillis(1))))
                .startsWith("202 ")
                .contains("\\\"ann\\\" (term 3) is asked to hand over to \\\"bob\\\", and still leads after 1 ms");
        known.set(view(Optional.empty(), 3));
        assertThat(text(waits.transferred(ANN, "bob", Duration.ofMillis(1))))
                .startsWith("202 ")
                .contains("\\\"ann\\\" (term 3) has stepped down, but nobody has taken over within 1 ms");
    }

    @Test
    void a_wait_starts_no_thread_and_needs_no_thread_of_the_common_pool() throws Exception {
        var goOn = new CountDownLatch(1);
        ForkJoinPool pool = ForkJoinPool.commonPool();
        for (int thread = 0; thread < Math.max(1, pool.getParallelism()); thread++) {
            pool.execute(() -> await(goOn));
        }
        try {
            Set<Thread> threads = ConcurrentHashMap.newKeySet();
            var checks = new CountDownLatch(5);
            var recording = new LeaderWait(
                    () -> {
                        threads.add(Thread.currentThread());
                        checks.countDown();
                        return known.get();
                    },
                    LONG);
            var reply = recording.resigned(ANN, LONG);
            assertThat(checks.await(60, TimeUnit.SECONDS)).isTrue();
            known.set(view(Optional.empty(), 3));

            assertThat(reply.get(60, TimeUnit.SECONDS).status()).isEqualTo(200);
            assertThat(threads)
                    .as("the thread of the caller, and the JDK's thread for timeouts")
                    .hasSizeLessThanOrEqualTo(2);
        } finally {
            goOn.countDown();
        }
    }

    @Test
    void a_resignation_is_done_when_the_leader_has_stepped_down() {
        assertThat(text(waits.resigned(ANN, Duration.ZERO)))
                .startsWith("202 ")
                .contains("\\\"ann\\\" (term 3) is asked to step down\"");
        var reply = waits.resigned(ANN, LONG);
        known.set(view(Optional.empty(), 3));

        assertThat(text(reply)).startsWith("200 ").contains("\\\"ann\\\" (term 3) has stepped down; nobody leads now");
    }

    @Test
    void a_state_from_before_the_term_does_not_end_the_wait() {
        known.set(view(Optional.of(new Leader("old", 2)), 2));
        assertThat(text(waits.resigned(ANN, Duration.ZERO))).startsWith("202 ");
        known.set(Optional.empty());
        assertThat(text(waits.resigned(ANN, Duration.ZERO))).startsWith("202 ");
    }

    @Test
    void the_default_wait_has_the_limit_of_a_requested_wait() {
        assertThat(waits.of(Optional.empty())).isEqualTo(Duration.ofSeconds(20));
        assertThat(waits.of(Optional.of(Duration.ofSeconds(3)))).isEqualTo(Duration.ofSeconds(3));
        assertThat(new LeaderWait(known::get, LONG).of(Optional.empty())).isEqualTo(AdminCommand.MAX_WAIT);
    }

    private static Optional<ElectionView> view(Optional<Leader> leader, long lastTerm) {
        return Optional.of(new ElectionView("e", leader, lastTerm, Instant.EPOCH, Instant.EPOCH));
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static String text(CompletableFuture<HttpReply> reply) {
        HttpReply sent = reply.join();
        return sent.status() + " " + sent.text();
    }
}
