package dev.doyen.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.event.Explanation;
import dev.doyen.store.StoreRefusedException;
import dev.doyen.store.StoreUnavailableException;
import dev.doyen.testkit.LogLines;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Tests the attempts to join elections whose store cannot be opened.
 *
 * <p>The test itself ends each pause between two attempts, so no test depends on the speed of the machine.
 */
@Timeout(180)
class ElectionJoinerTest {

    private static final Duration LONG = Duration.ofMinutes(2);
    private static final StoreUnavailableException AWAY = new StoreUnavailableException("no route to the store");
    private static final StoreRefusedException REFUSED =
            new StoreRefusedException("the login is missing", "set the password", null);

    private final Map<String, Throwable> faults = new ConcurrentHashMap<>();
    private final BlockingQueue<String> attempts = new LinkedBlockingQueue<>();
    private final BlockingQueue<Duration> pauses = new LinkedBlockingQueue<>();
    private final BlockingQueue<Boolean> endsOfPauses = new LinkedBlockingQueue<>();
    private final ElectionJoiner joiner = new ElectionJoiner(this::join, (stopped, time) -> {
        pauses.add(time);
        return endsOfPauses.take();
    });

    @AfterEach
    void stop() {
        joiner.stop();
    }

    @Test
    void elections_are_joined_before_the_call_returns_if_the_store_answers() throws Exception {
        joiner.joinAll(List.of("bills", "orders"), LONG);
        assertThat(attempts).containsExactly("bills", "orders");
        assertThat(joiner.explain("orders")).isEmpty();
        assertThat(joiner.dueFor()).isEmpty();
        awaitNoThread();
    }

    @Test
    void an_unavailable_store_is_opened_later_and_the_elections_then_join() throws Exception {
        faults.put("bills", AWAY);
        try (var log = new LogLines("the store could not be opened")) {
            joiner.joinAll(List.of("bills", "orders"), LONG);
            assertThat(log.warnings())
                    .containsExactly("the store could not be opened, so this application has not joined the elections"
                            + " bills, orders: no route to the store; it tries again every 5 s. Set"
                            + " doyen.fail-fast=true if the application must not start without its store");
        }
        assertThat(attempts).as("the elections have the same store").containsExactly("bills");
        for (String name : List.of("bills", "orders")) {
            assertThat(joiner.explain(name))
                    .contains(new Explanation(
                            Explanation.Reason.STORE_AWAY,
                            "the store could not be opened yet, so this application has not joined the election:"
                                    + " no route to the store"));
        }
        assertThat(joiner.explain("others")).isEmpty();
        assertThat(joiner.dueFor()).isPresent();

        attempts.clear();
        faults.clear();
        endPause();
        assertThat(attempts.poll(60, TimeUnit.SECONDS)).isEqualTo("bills");
        assertThat(attempts.poll(60, TimeUnit.SECONDS)).isEqualTo("orders");
        awaitNoThread();
        assertThat(joiner.dueFor()).isEmpty();
    }

    @Test
    void each_attempt_follows_a_pause_and_the_log_repeats_the_fault_rarely() throws Exception {
        faults.put("orders", AWAY);
        try (var log = new LogLines("the store could not be opened")) {
            joiner.joinAll(List.of("orders"), LONG);
            for (int i = 1; i <= ElectionJoiner.ATTEMPTS_PER_REMINDER; i++) {
                assertThat(attempts.poll(60, TimeUnit.SECONDS)).isEqualTo("orders");
                assertThat(pauses.poll(60, TimeUnit.SECONDS)).isEqualTo(ElectionJoiner.PAUSE);
                assertThat(attempts)
                        .as("no attempt before the end of the pause")
                        .isEmpty();
                assertThat(log.warnings()).hasSize(1);
                endsOfPauses.add(false);
            }
            assertThat(pauses.poll(60, TimeUnit.SECONDS)).isEqualTo(ElectionJoiner.PAUSE);
            assertThat(log.warnings()).as("a reminder after a minute").hasSize(2);
            faults.put("orders", REFUSED);
            endsOfPauses.add(false);
            assertThat(pauses.poll(60, TimeUnit.SECONDS)).isEqualTo(ElectionJoiner.PAUSE);
            assertThat(log.warnings())
                    .as("another fault")
                    .hasSize(3)
                    .last()
                    .asString()
                    .contains("the login is missing");
            assertThat(joiner.explain("orders"))
                    .hasValueSatisfying(why -> assertThat(why.reason()).isEqualTo(Explanation.Reason.STORE_REFUSES));
        }
    }

    @Test
    void a_missing_right_and_an_invalid_setting_fail_the_first_attempt() throws Exception {
        for (RuntimeException fault : List.of(REFUSED, new IllegalArgumentException("on purpose"))) {
            faults.put("bills", fault);
            assertThatThrownBy(() -> joiner.joinAll(List.of("bills", "orders"), LONG))
                    .isSameAs(fault);
            awaitNoThread();
            assertThat(joiner.dueFor()).as("no attempt follows").isEmpty();
            assertThat(attempts).containsExactly("bills");
            attempts.clear();
        }
        faults.put("bills", new OutOfMemoryError("on purpose"));
        assertThatThrownBy(() -> joiner.joinAll(List.of("bills"), LONG)).isInstanceOf(OutOfMemoryError.class);
    }

    @Test
    void an_invalid_setting_of_one_election_does_not_keep_the_others_from_joining_later() throws Exception {
        faults.put("bills", AWAY);
        joiner.joinAll(List.of("bills", "orders"), LONG);
        attempts.clear();
        faults.put("bills", new IllegalArgumentException("on purpose"));
        endPause();
        assertThat(pauses.poll(60, TimeUnit.SECONDS)).isNotNull();
        assertThat(attempts).containsExactly("bills", "orders");
        assertThat(joiner.explain("orders")).isEmpty();
        assertThat(joiner.explain("bills"))
                .hasValueSatisfying(why -> assertThat(why.sentence()).endsWith("IllegalArgumentException: on purpose"));
    }

    /** The start waits for the first attempt for a limited time. The attempt then continues. */
    @Test
    void a_slow_store_does_not_stop_the_start() throws Exception {
        var answers = new CountDownLatch(1);
        var slow = new ElectionJoiner(
                name -> {
                    try {
                        answers.await();
                    } catch (InterruptedException e) {
                        throw new StoreUnavailableException("interrupted", e);
                    }
                    join(name);
                },
                (stopped, time) -> stopped.await(1, TimeUnit.HOURS));
        try (var log = new LogLines("the store could not be opened")) {
            slow.joinAll(List.of("orders"), Duration.ofMillis(1));
            assertThat(log.warnings()).singleElement().asString().contains(": it did not answer within 1 ms; ");
        }
        assertThat(slow.explain("orders"))
                .hasValueSatisfying(why -> assertThat(why.sentence()).endsWith("the first attempt has not ended yet"));
        answers.countDown();
        assertThat(attempts.poll(60, TimeUnit.SECONDS)).isEqualTo("orders");
        awaitNoThread();
        assertThat(slow.dueFor()).isEmpty();
    }

    @Test
    void a_stop_interrupts_the_attempt_and_ends_the_thread() throws Exception {
        var began = new CountDownLatch(1);
        var interrupted = new CountDownLatch(1);
        var hanging = new ElectionJoiner(name -> {
            began.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                interrupted.countDown();
                throw new StoreUnavailableException("interrupted", e);
            }
        });
        hanging.joinAll(List.of("orders"), Duration.ofMillis(1));
        assertThat(began.await(60, TimeUnit.SECONDS)).isTrue();
        hanging.stop();
        assertThat(interrupted.await(60, TimeUnit.SECONDS)).isTrue();
        awaitNoThread();
        assertThat(hanging.dueFor()).isEmpty();
    }

    /** The pause of this joiner lasts longer than the test, unless the stop ends it. */
    @Test
    void a_stop_ends_the_pause() throws Exception {
        var waiting = new ElectionJoiner(
                name -> {
                    throw AWAY;
                },
                (stopped, time) -> stopped.await(1, TimeUnit.HOURS));
        waiting.joinAll(List.of("orders"), LONG);
        waiting.stop();
        awaitNoThread();
    }

    @Test
    void an_election_can_be_joined_later_after_a_pause_or_be_left_before() throws Exception {
        joiner.joinLater("bills", AWAY);
        joiner.joinLater("orders", AWAY);
        assertThat(pauses.poll(60, TimeUnit.SECONDS)).isEqualTo(ElectionJoiner.PAUSE);
        assertThat(attempts).as("the caller has just made an attempt").isEmpty();
        joiner.forget("bills");
        assertThat(joiner.explain("bills")).isEmpty();
        endsOfPauses.add(false);
        assertThat(attempts.poll(60, TimeUnit.SECONDS)).isEqualTo("orders");
        awaitNoThread();
        assertThat(attempts).isEmpty();
    }

    private void join(String name) {
        attempts.add(name);
        Throwable fault = faults.get(name);
        if (fault instanceof Error error) {
            throw error;
        }
        if (fault instanceof RuntimeException thrown) {
            throw thrown;
        }
    }

    private void endPause() throws InterruptedException {
        assertThat(pauses.poll(60, TimeUnit.SECONDS)).isEqualTo(ElectionJoiner.PAUSE);
        endsOfPauses.add(false);
    }

    private static void awaitNoThread() throws InterruptedException {
        for (Thread each : Thread.getAllStackTraces().keySet()) {
            if (each.getName().equals("doyen-joining")) {
                each.join(60_000);
                assertThat(each.isAlive()).isFalse();
            }
        }
    }
}
