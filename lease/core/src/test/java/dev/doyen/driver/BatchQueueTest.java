package dev.doyen.driver;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BatchQueueTest {

    private static final Duration PATIENCE = Duration.ofMinutes(10);

    private final SystemThreads threads = new SystemThreads("test");
    private final LinkedBlockingQueue<List<String>> sent = new LinkedBlockingQueue<>();
    private final LinkedBlockingQueue<String> failures = new LinkedBlockingQueue<>();
    private final BatchQueue<String> queue = new BatchQueue<>(
            threads,
            PATIENCE,
            each -> each,
            batch -> sent.add(List.copyOf(batch)),
            (entry, fault) -> failures.add(fault.reason()));

    @AfterEach
    void close() {
        threads.close();
    }

    @Test
    void entries_that_are_due_together_are_sent_together() throws Exception {
        var go = new CountDownLatch(1);
        threads.loop(() -> awaitQuietly(go));
        for (int i = 0; i < 50; i++) {
            String name = "e" + i;
            threads.loop(() -> queue.add(name));
        }
        go.countDown();

        assertThat(sent.poll(30, TimeUnit.SECONDS)).hasSize(50);
    }

    @Test
    void a_batch_has_one_entry_per_key_and_a_limited_size() throws Exception {
        threads.loop(() -> {
            for (int i = 0; i < 1_250; i++) {
                queue.add("e" + (i < 750 ? i : i % 30));
            }
        });

        List<String> all = new ArrayList<>();
        while (all.size() < 1_250) {
            List<String> batch = sent.poll(30, TimeUnit.SECONDS);
            assertThat(batch)
                    .isNotNull()
                    .hasSizeLessThanOrEqualTo(BatchQueue.MAX_BATCH)
                    .doesNotHaveDuplicates();
            all.addAll(batch);
        }
        assertThat(all).hasSize(1_250);
    }

    @Test
    void entries_that_wait_for_too_long_fail_so_the_queue_does_not_grow() throws Exception {
        var go = new CountDownLatch(1);
        var started = new CountDownLatch(1);
        var hanging = new BatchQueue<String>(
                threads,
                Duration.ZERO,
                each -> each,
                batch -> {
                    started.countDown();
                    awaitQuietly(go);
                },
                (entry, fault) -> failures.add(entry + " " + fault.reason()));
        hanging.add("e0");
        assertThat(started.await(30, TimeUnit.SECONDS)).isTrue();
        for (int i = 1; i <= 100; i++) {
            hanging.add("e" + i);
        }

        assertThat(failures).hasSize(99).allMatch(why -> why.endsWith("longer than the request timeout"));
        go.countDown();
    }

    @Test
    void entries_after_the_close_are_rejected() throws Exception {
        threads.close();

        queue.add("late");

        assertThat(failures.poll(30, TimeUnit.SECONDS)).isEqualTo(StoreExecutor.BUSY.reason());
    }

    @Test
    void a_rejection_does_not_stop_later_entries() throws Exception {
        var busy = new AtomicBoolean(true);
        var refusing = new BatchQueue<String>(
                new OneThread(busy),
                PATIENCE,
                each -> each,
                sent::add,
                (entry, fault) -> failures.add(entry + " " + fault.reason()));
        refusing.add("a");
        assertThat(failures.poll()).isEqualTo("a " + StoreExecutor.BUSY.reason());

        busy.set(false);
        refusing.add("b");

        assertThat(sent.poll()).containsExactly("b");
    }

    @Test
    void a_failed_batch_is_notified_and_the_next_one_is_sent() {
        var failing = new BatchQueue<String>(
                new OneThread(new AtomicBoolean()),
                PATIENCE,
                each -> each,
                batch -> {
                    sent.add(batch);
                    throw new IllegalStateException("fails on purpose");
                },
                (entry, fault) -> failures.add(entry + " " + fault.reason()));
        failing.add("a");
        failing.add("b");

        assertThat(sent).containsExactly(List.of("a"), List.of("b"));
        assertThat(failures).containsExactly("a java.lang.IllegalStateException", "b java.lang.IllegalStateException");
    }

    @Test
    void an_Error_fails_its_batch_and_the_queue_continues() { // L8
        var failing = new BatchQueue<String>(
                new OneThread(new AtomicBoolean()),
                PATIENCE,
                each -> each,
                batch -> {
                    sent.add(batch);
                    if (sent.size() == 1) {
                        throw new OutOfMemoryError("on purpose");
                    }
                },
                (entry, fault) -> failures.add(entry + " " + fault.reason()));
        failing.add("a");
        failing.add("b");

        assertThat(failures).containsExactly("a java.lang.OutOfMemoryError");
        assertThat(sent).containsExactly(List.of("a"), List.of("b"));
    }

    @Test
    void an_entry_that_throws_on_failure_does_not_affect_the_others() throws Exception { // L8
        var failing = new BatchQueue<String>(
                threads,
                PATIENCE,
                each -> each,
                batch -> {
                    throw new IllegalStateException("fails on purpose");
                },
                (entry, fault) -> {
                    if (entry.equals("a")) {
                        throw new OutOfMemoryError("on purpose");
                    }
                    failures.add(entry);
                });
        threads.loop(() -> List.of("a", "b").forEach(failing::add));

        assertThat(failures.poll(30, TimeUnit.SECONDS)).isEqualTo("b");
    }

    @Test
    void an_executor_that_throws_fails_the_entry_and_the_queue_continues() { // L8
        var busy = new AtomicBoolean();
        var throwing = new AtomicBoolean(true);
        var refusing = new BatchQueue<String>(
                new OneThread(busy) {
                    @Override
                    public boolean store(Runnable call) {
                        if (throwing.getAndSet(false)) {
                            throw new OutOfMemoryError("unable to create native thread, on purpose");
                        }
                        return super.store(call);
                    }
                },
                PATIENCE,
                each -> each,
                sent::add,
                (entry, fault) -> failures.add(entry));
        refusing.add("a");
        refusing.add("b");

        assertThat(failures).containsExactly("a");
        assertThat(sent).containsExactly(List.of("b"));
    }

    @Test
    void entries_fail_if_their_batch_cannot_be_created_and_the_queue_continues() throws Exception { // L8
        var failing = new AtomicBoolean(true);
        var refusing = new BatchQueue<String>(
                threads,
                PATIENCE,
                each -> {
                    if (each.equals("b") && failing.getAndSet(false)) {
                        throw new OutOfMemoryError("on purpose");
                    }
                    return each;
                },
                batch -> sent.add(List.copyOf(batch)),
                (entry, fault) -> failures.add(entry + " " + fault.reason()));
        threads.loop(() -> List.of("a", "b").forEach(refusing::add));

        List<String> failed = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            failed.add(failures.poll(30, TimeUnit.SECONDS));
        }
        assertThat(failed).containsExactlyInAnyOrder("a java.lang.OutOfMemoryError", "b java.lang.OutOfMemoryError");
        refusing.add("c");
        assertThat(sent.poll(30, TimeUnit.SECONDS)).containsExactly("c");
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
