package dev.doyen.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.driver.LoopContext;
import dev.doyen.election.LeaseTiming;
import dev.doyen.election.Threads;
import dev.doyen.stores.local.MemoryLeaseStore;
import dev.doyen.testkit.FaultyLeaseStore.Fault;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Tests rule L12.3: how a process searches for a session record, and which records it fences.
 *
 * <p>The test moves the clock.
 *
 * <p>This class is longer than most, because it contains all cases of the search and of the fences.
 */
class SessionRecordsTest {

    private static final Duration TTL = Duration.ofSeconds(10);
    private static final Duration POLL = Duration.ofSeconds(1);

    /** The number of session records that one step of the search reads. */
    private static final int ROW = 16;

    private static final int ALL = 4096;

    private final ManualThreads threads = new ManualThreads();
    private final MemoryLeaseStore shared = new MemoryLeaseStore();
    private final FaultyLeaseStore network = new FaultyLeaseStore(shared);
    private final RecordingStore store = new RecordingStore(network, threads);
    private final OtherProcess others = new OtherProcess(shared);

    @Test
    void rows_of_sixteen_are_read_until_one_has_a_free_record() {
        acquire(1, 2 * ROW, TTL);
        begin();
        threads.settle();

        assertThat(store.batchReads).containsExactly(names(1, 16), names(17, 32), names(33, 48));
        assertThat(own()).singleElement().isIn(names(33, 36));
    }

    @Test
    void without_a_free_record_silent_records_are_fenced_and_one_is_used() {
        acquire(1, ALL, TTL);
        try (var log = new LogLines("no session record")) {
            begin();
            threads.pass(POLL.minusNanos(1));
            assertThat(store.batchReads).hasSize(ALL / ROW).endsWith(names(ALL - 15, ALL));
            assertThat(own()).isEmpty();

            threads.pass(TTL.plus(POLL));
            assertThat(own()).hasSize(1);
            assertThat(log.lines())
                    .containsExactly(
                            "no session record could be chosen: all 4096 session records are held or could not be read;"
                                    + " trying again");
        }
    }

    @Test
    void during_a_store_outage_the_first_row_is_read_once_per_poll_interval() {
        network.fault(Fault.AWAY);
        try (var log = new LogLines("no session record")) {
            begin();
            threads.pass(POLL.multipliedBy(3));
            assertThat(store.batchReads).hasSize(4).containsOnly(names(1, 16));
            assertThat(own()).isEmpty();

            network.fault(Fault.NONE);
            threads.pass(POLL);
            assertThat(own()).hasSize(1);
            assertThat(log.lines()).singleElement().asString().contains("set to be away; trying again");
        }
    }

    @Test
    void busy_store_threads_lead_to_another_attempt() {
        threads.storeThreadsBusy(true);
        try (var log = new LogLines("no session record")) {
            begin();
            threads.pass(POLL.multipliedBy(2));
            threads.storeThreadsBusy(false);
            threads.pass(POLL);

            assertThat(own()).hasSize(1);
            assertThat(log.lines()).singleElement().asString().contains("all threads for store calls are busy");
        }
    }

    @Test
    void a_fault_of_the_threads_leads_to_another_attempt() { // L8
        var calls = new LateCall();
        calls.failNext = "store";
        begin(calls.threads(), () -> 7);
        assertThatThrownBy(threads::settle).isInstanceOf(OutOfMemoryError.class);
        threads.pass(POLL);

        assertThat(own()).hasSize(1);
    }

    @Test
    void a_log_that_fails_does_not_end_the_search() { // L8
        network.fault(Fault.AWAY);
        var calls = new LateCall();
        calls.failNext = "callback";
        begin(calls.threads(), () -> 7);
        assertThatCode(threads::settle).doesNotThrowAnyException();
        assertThat(calls.failNext).isEmpty();
        network.fault(Fault.NONE);
        threads.pass(POLL);

        assertThat(own()).hasSize(1);
    }

    @Test
    void a_timer_that_could_not_be_set_is_set_again() { // L8
        network.fault(Fault.AWAY);
        var calls = new LateCall();
        calls.failNext = "at";
        begin(calls.threads(), () -> 7);
        assertThatCode(threads::settle).doesNotThrowAnyException();
        assertThat(calls.failNext).isEmpty();
        network.fault(Fault.NONE);
        threads.pass(POLL);

        assertThat(own()).hasSize(1);
    }

    @Test
    void a_fault_in_the_choice_leads_to_another_attempt() { // L8
        var faults = new ArrayList<>(List.of(new OutOfMemoryError("on purpose")));
        try (var log = new LogLines("no session record")) {
            begin(threads, () -> {
                if (!faults.isEmpty()) {
                    throw faults.remove(0);
                }
                return 7;
            });
            threads.settle();
            assertThat(own()).isEmpty();

            threads.pass(POLL);
            assertThat(own()).hasSize(1);
            assertThat(log.lines())
                    .containsExactly("no session record could be chosen: the answer could not be taken; trying again");
        }
    }

    @Test
    void a_released_record_is_chosen_before_an_unused_one() {
        release(9);
        begin();
        threads.settle();

        assertThat(own()).containsExactly("~session/9");
    }

    @Test
    void an_unreadable_record_is_not_free_and_does_not_prevent_the_choice_of_another() {
        acquire(1, ROW - 1, TTL);
        release(ROW);
        network.fault("~session/3", Fault.UNREADABLE);
        network.fault("~session/16", Fault.UNREADABLE);
        begin();
        threads.settle();

        assertThat(own()).singleElement().isIn(names(17, 20));
        assertThat(store.batchReads).containsExactly(names(1, 16), names(17, 32));
    }

    @Test
    void silent_records_are_also_fenced_in_later_rows() {
        acquire(1, ROW - 1, TTL);
        release(ROW, 2 * ROW - 1);
        acquire(2 * ROW, 2 * ROW + 1, TTL);
        acquire(3 * ROW + 1, 3 * ROW + 1, TTL);
        begin();
        threads.settle();
        assertThat(own()).containsExactly("~session/16");
        assertThat(store.batchReads)
                .as("the third row has absent records, so nobody has used a fourth")
                .containsExactly(names(1, 16), names(17, 32), names(33, 48));

        threads.pass(TTL);
        assertThat(termOf(1)).isEqualTo(2);
        assertThat(termOf(2 * ROW)).isEqualTo(2);
        assertThat(termOf(2 * ROW + 1)).isEqualTo(2);
        assertThat(termOf(3 * ROW + 1)).isEqualTo(1);
    }

    @Test
    void one_absent_record_shows_that_its_row_is_the_last_one() {
        acquire(1, ROW - 1, TTL);
        begin();
        threads.settle();

        assertThat(store.batchReads).containsExactly(names(1, 16));
        assertThat(own()).containsExactly("~session/16");
    }

    @Test
    void no_record_above_the_limit_is_read() {
        acquire(1, ALL - 1, TTL);
        release(ALL);
        begin();
        threads.settle();

        assertThat(own()).containsExactly("~session/4096");
        assertThat(store.batchReads).hasSize(ALL / ROW).endsWith(names(ALL - 15, ALL));
    }

    @Test
    void if_the_next_row_cannot_be_read_the_silent_records_of_the_first_are_fenced() {
        acquire(1, ROW - 1, TTL);
        release(ROW);
        network.fault("~session/17", Fault.AWAY);
        begin();
        threads.pass(TTL);

        assertThat(own()).containsExactly("~session/16");
        assertThat(termOf(1)).isEqualTo(2);
    }

    @Test
    void held_records_are_read_again_when_the_first_can_be_silent() {
        acquire(1, 1, TTL);
        acquire(2, 2, TTL.multipliedBy(2));
        begin();
        threads.pass(TTL.minusNanos(1));
        assertThat(store.batchReads).containsExactly(names(1, 16));

        threads.pass(Duration.ofNanos(1));
        assertThat(store.batchReads).containsExactly(names(1, 16), names(1, 2));
        assertThat(termOf(1)).isEqualTo(2);

        threads.pass(TTL);
        assertThat(store.batchReads).containsExactly(names(1, 16), names(1, 2), names(2, 2));
        assertThat(termOf(2)).isEqualTo(2);
    }

    @Test
    void a_record_whose_holder_has_written_again_is_not_fenced() {
        acquire(1, 1, TTL);
        begin();
        threads.pass(TTL.dividedBy(2));
        acquire(1, 1, TTL);
        threads.pass(TTL.multipliedBy(2));

        assertThat(store.batchReads).containsExactly(names(1, 16), names(1, 1));
        assertThat(store.batches).isEmpty();
    }

    @Test
    void unreadable_held_records_are_read_five_times_at_most() {
        acquire(1, 1, TTL);
        begin();
        threads.settle();
        network.fault("~session/1", Fault.AWAY);
        threads.pass(TTL.multipliedBy(3));

        assertThat(store.batchReadsAt)
                .containsExactly(
                        Duration.ZERO,
                        TTL,
                        TTL.plus(POLL),
                        TTL.plus(POLL.multipliedBy(2)),
                        TTL.plus(POLL.multipliedBy(3)),
                        TTL.plus(POLL.multipliedBy(4)));
    }

    @Test
    void held_records_that_were_unreadable_are_fenced_later() {
        acquire(1, 1, TTL);
        begin();
        threads.settle();
        network.fault("~session/1", Fault.AWAY);
        threads.pass(TTL.plus(POLL.multipliedBy(3)));
        network.fault("~session/1", Fault.NONE);
        threads.pass(POLL);

        assertThat(termOf(1)).isEqualTo(2);
    }

    @Test
    void the_log_contains_only_records_fenced_by_this_process() {
        acquire(1, 3, TTL);
        begin();
        threads.settle();
        store.beforeBatch = () -> acquire(2, 2, TTL);
        try (var log = new LogLines("fenced")) {
            threads.pass(TTL);
            assertThat(log.lines()).containsExactly("fenced the silent session records [~session/1, ~session/3]");
        }
        assertThat(termOf(2)).isEqualTo(1);
        assertThat(store.batches).hasSize(1);
    }

    @Test
    void the_log_has_no_line_about_fences_if_the_store_carried_out_none() {
        acquire(1, 1, TTL);
        begin();
        threads.settle();
        store.beforeBatch = () -> acquire(1, 1, TTL);
        try (var log = new LogLines("fenced")) {
            threads.pass(TTL);
            assertThat(log.lines()).isEmpty();
        }
    }

    @Test
    void after_the_close_no_held_record_is_read_or_fenced() {
        acquire(1, 1, TTL);
        LoopContext context = begin();
        threads.settle();
        context.sessions().close(() -> {});
        threads.pass(TTL.multipliedBy(2));

        assertThat(store.batchReads).containsExactly(names(1, 16));
        assertThat(termOf(1)).isEqualTo(1);
    }

    @Test
    void a_close_during_the_search_ends_it_at_once() {
        network.fault(Fault.AWAY);
        LoopContext context = begin();
        threads.settle();
        var closed = new ArrayList<String>();
        context.sessions().close(() -> closed.add("closed"));
        threads.settle();
        assertThat(closed).containsExactly("closed");

        network.fault(Fault.NONE);
        threads.pass(TTL);
        assertThat(store.batchReads).hasSize(1);
        assertThat(own()).isEmpty();
        assertThat(closed).hasSize(1);
    }

    @Test
    void a_record_found_after_the_close_is_not_used() {
        var calls = new LateCall();
        calls.keepNext = true;
        LoopContext context = begin(calls.threads(), () -> 7);
        threads.settle();
        var closed = new ArrayList<String>();
        context.sessions().close(() -> closed.add("closed"));
        threads.settle();
        calls.carryOut();
        threads.pass(TTL);

        assertThat(store.batchReads).hasSize(1);
        assertThat(own()).isEmpty();
        assertThat(closed).containsExactly("closed");
    }

    @Test
    void after_the_close_no_further_row_is_read() {
        acquire(1, ROW - 1, TTL);
        release(ROW, 2 * ROW);
        var calls = new LateCall();
        store.afterBatchRead = () -> calls.keepNext = store.batchReads.size() == 1;
        LoopContext context = begin(calls.threads(), () -> 7);
        threads.settle();
        context.sessions().close(() -> {});
        threads.settle();
        calls.carryOut();
        threads.pass(TTL);

        assertThat(store.batchReads).containsExactly(names(1, 16), names(17, 32));
    }

    @Test
    void a_late_answer_about_held_records_does_not_end_the_search_for_a_new_one() {
        // The other process's record expires after the duration {@code silent}. At this time the tested process has no
        // renewal due, so its next store call is the read of that record.
        Duration silent = TTL.plusMillis(500);
        acquire(1, 1, silent);
        var calls = new LateCall();
        begin(calls.threads(), () -> 7);
        threads.pass(silent.minusNanos(1));
        assertThat(own()).containsExactly("~session/5");
        calls.keepNext = true;
        threads.pass(Duration.ofNanos(1));

        network.fault("~session/16", Fault.AWAY);
        acquire(5, 5, TTL);
        threads.settle();
        assertThat(store.batchReads)
                .as("the search for a new record finds none")
                .containsExactly(names(1, 16), names(1, 16));
        calls.carryOut();
        network.fault("~session/16", Fault.NONE);
        threads.pass(POLL);

        assertThat(store.batchReads).contains(names(1, 1));
        assertThat(own()).hasSize(1);
    }

    @Test
    void a_late_answer_about_a_further_row_does_not_repeat_reads() {
        acquire(1, ROW - 1, TTL);
        release(ROW);
        var calls = new LateCall();
        store.afterBatchRead = () -> calls.keepNext = store.batchReads.size() == 1;
        begin(calls.threads(), () -> 7);
        threads.settle();
        assertThat(own()).containsExactly("~session/16");
        // The process treats an announcement soon after an answer as an announcement of its own write. So the test
        // waits before another process writes.
        threads.pass(POLL);
        acquire(ROW, ROW, TTL);
        threads.settle();
        assertThat(own()).singleElement().isIn(names(17, 20));
        calls.carryOut();
        threads.pass(TTL);

        assertThat(store.batchReadsAt).filteredOn(TTL::equals).hasSize(1);
    }

    private LoopContext begin() {
        return begin(threads, () -> 7);
    }

    private LoopContext begin(Threads threadsOfA, LongSupplier seeds) {
        return LoopContext.underSession(threadsOfA, store, LeaseTiming.ofTtl(TTL), seeds, "a");
    }

    /** Lets another process acquire or renew the session records {@code first} to {@code last}. */
    private void acquire(int first, int last, Duration ttl) {
        IntStream.rangeClosed(first, last).forEach(n -> others.acquire("~session/" + n, ttl));
    }

    private void release(int n) {
        release(n, n);
    }

    private void release(int first, int last) {
        IntStream.rangeClosed(first, last).forEach(n -> others.release("~session/" + n, TTL));
    }

    private long termOf(int n) {
        return shared.read("~session/" + n).record().orElseThrow().term();
    }

    /** Returns the session records that the tested process holds. */
    private List<String> own() {
        return names(1, ALL + ROW).stream()
                .filter(name -> shared.read(name)
                        .record()
                        .filter(record -> record.holder().equals("a"))
                        .isPresent())
                .toList();
    }

    private static List<String> names(int first, int last) {
        return IntStream.rangeClosed(first, last).mapToObj(n -> "~session/" + n).toList();
    }

    /**
     * Makes one call of the threads fail, or delays one store call until the test calls {@code carryOut}.
     *
     * <p>The field {@code failNext} is the name of the method whose next call fails; empty if none fails.
     */
    private final class LateCall {
        private String failNext = "";
        private boolean keepNext;
        private Runnable kept = () -> {};

        Threads threads() {
            return (Threads) Proxy.newProxyInstance(
                    Threads.class.getClassLoader(), new Class<?>[] {Threads.class}, (on, called, with) -> {
                        if (called.getName().equals(failNext)) {
                            failNext = "";
                            throw new OutOfMemoryError("on purpose");
                        }
                        if (called.getName().equals("store") && keepNext) {
                            keepNext = false;
                            kept = (Runnable) with[0];
                            return true;
                        }
                        return called.invoke(threads, with);
                    });
        }

        void carryOut() {
            threads.store(kept);
            threads.settle();
        }
    }
}
