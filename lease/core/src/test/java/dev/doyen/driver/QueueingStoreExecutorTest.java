package dev.doyen.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.event.Moment;
import dev.doyen.lease.RequestKind;
import dev.doyen.store.CasOutcome;
import dev.doyen.store.ForwardingLeaseStore;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.VersionedLease;
import dev.doyen.stores.local.MemoryLeaseStore;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/**
 * Tests in which order requests are sent, and which requests fail. A task of {@link NestedStore#during} runs while a
 * call is under way.
 */
class QueueingStoreExecutorTest {

    private static final Duration PATIENCE = Duration.ofMillis(500);
    private static final int UNRESERVED = QueueingStoreExecutor.MAX_CALLS - QueueingStoreExecutor.RESERVED;

    private final NestedThreads threads = new NestedThreads();
    private final NestedStore store = new NestedStore();
    private final QueueingStoreExecutor storeExecutor = new QueueingStoreExecutor(threads, store, PATIENCE);
    private final Answers answers = new Answers();

    @Test
    void each_request_is_answered() {
        write(RequestKind.ACQUIRE, "orders");
        read("orders");

        assertThat(answers.all()).containsExactly("orders " + written(), "orders found 1");
    }

    @Test
    void renewals_come_first_then_releases_and_then_the_others_in_order() {
        threads.most = 1;
        List<Integer> waiting = new ArrayList<>();
        store.during(() -> {
            storeExecutor.runWhenIdle(() -> store.calls.add("idle"));
            read("a");
            write(RequestKind.ACQUIRE, "b");
            write(RequestKind.STEP_DOWN_REQUEST, "c");
            write(RequestKind.FENCE, "d");
            write(RequestKind.RELEASE, "e");
            write(RequestKind.RELEASE, "f");
            write(RequestKind.RENEW, "g");
            write(RequestKind.RENEW, "h");
            waiting.add(storeExecutor.waiting());
        });
        read("first");
        waiting.add(storeExecutor.waiting());

        assertThat(store.calls).containsExactly("first", "g", "h", "e", "f", "a", "b", "c", "d", "idle");
        assertThat(waiting).containsExactly(8, 0);
    }

    @Test
    void reserved_threads_send_only_renewals() {
        List<String> sentWhileAllHang = new ArrayList<>();
        for (int i = 2; i <= UNRESERVED; i++) {
            String next = "hanging " + i;
            store.during(() -> read(next));
        }
        store.during(() -> {
            read("late");
            write(RequestKind.RELEASE, "released");
            storeExecutor.runWhenIdle(() -> store.calls.add("idle"));
            write(RequestKind.RENEW, "renewed");
            sentWhileAllHang.addAll(store.calls);
        });
        read("hanging 1");

        assertThat(sentWhileAllHang).hasSize(UNRESERVED + 1).endsWith("hanging " + UNRESERVED, "renewed");
        assertThat(store.calls).endsWith("renewed", "released", "late", "idle");
    }

    @Test
    void a_repeated_request_replaces_the_waiting_one_and_takes_its_place() {
        threads.most = 1;
        store.during(() -> {
            storeExecutor.read("a", answers.reader("old"));
            write(RequestKind.ACQUIRE, "a");
            read("b");
            storeExecutor.read("a", answers.reader("new"));
        });
        read("first");

        assertThat(store.calls).containsExactly("first", "a", "a", "b");
        assertThat(answers.all())
                .containsExactly(
                        "old failed: a later request has replaced it",
                        "first found 0",
                        "new found 0",
                        "a " + written(),
                        "b found 0");
    }

    @Test
    void a_request_that_waited_longer_than_the_request_timeout_is_not_sent() {
        threads.most = 1;
        store.during(() -> {
            read("late");
            write(RequestKind.RENEW, "late");
            storeExecutor.read("repeated", answers.reader("replaced"));
            threads.pass(PATIENCE);
            read("repeated");
            read("in time");
            threads.pass(Duration.ofNanos(1));
        });
        read("first");

        String reason = "it waited longer than 500 ms for a thread and was not sent";
        assertThat(store.calls).containsExactly("first", "repeated", "in time");
        assertThat(answers.all())
                .containsExactly(
                        "replaced failed: a later request has replaced it",
                        "first found 0",
                        "late " + new CasOutcome.Unknown(reason),
                        "late failed: " + reason,
                        "repeated found 0",
                        "in time found 0");
    }

    @Test
    void requests_fail_if_no_thread_is_left_for_them() {
        threads.most = 0;
        read("a");
        write(RequestKind.RENEW, "b");

        assertThat(answers.all())
                .containsExactly("a failed: " + StoreExecutor.BUSY.reason(), "b " + StoreExecutor.BUSY.ofWrite());
        threads.most = 1;
        read("c");
        assertThat(answers.all()).last().isEqualTo("c found 0");
    }

    @Test
    void requests_fail_if_the_start_of_a_thread_throws() { // L8
        threads.throwing = true;
        read("a");
        threads.throwing = false;
        read("b");

        assertThat(answers.all()).containsExactly("a failed: java.lang.OutOfMemoryError", "b found 0");
    }

    @Test
    void a_renewal_without_a_thread_is_sent_soon_although_all_other_calls_hang() {
        List<String> sentWhileOneHangs = new ArrayList<>();
        threads.most = 1;
        store.during(() -> {
            read("a");
            write(RequestKind.RENEW, "b");
            threads.most = 2;
            threads.timers.remove().run();
            sentWhileOneHangs.addAll(store.calls);
        });
        read("hanging");

        assertThat(sentWhileOneHangs).containsExactly("hanging", "b", "a");
        assertThat(threads.timers).as("both calls share one timer").isEmpty();
    }

    @Test
    void an_idle_call_without_a_thread_runs_later() {
        threads.most = 0;
        storeExecutor.runWhenIdle(() -> store.calls.add("replaced"));
        storeExecutor.runWhenIdle(() -> store.calls.add("idle"));
        threads.most = 1;
        read("a");

        assertThat(store.calls).containsExactly("a", "idle");
    }

    @Test
    void a_call_that_throws_fails_only_its_own_request() { // L8
        threads.most = 1;
        store.during(() -> {
            read("a");
            throw new StackOverflowError("on purpose");
        });
        write(RequestKind.RENEW, "first");

        assertThat(answers.all())
                .containsExactly("first " + new CasOutcome.Unknown("java.lang.StackOverflowError"), "a found 0");
    }

    @Test
    void a_closed_executor_sends_nothing() {
        threads.most = 1;
        store.during(() -> {
            read("a");
            storeExecutor.runWhenIdle(() -> store.calls.add("idle"));
            storeExecutor.close();
        });
        read("first");
        read("b");
        storeExecutor.runWhenIdle(() -> store.calls.add("idle"));

        assertThat(store.calls).containsExactly("first");
        assertThat(answers.all())
                .containsExactly(
                        "a failed: this process is shutting down",
                        "first found 0",
                        "b failed: this process is shutting down");
    }

    private void read(String election) {
        storeExecutor.read(election, answers.reader(election));
    }

    private void write(RequestKind kind, String election) {
        storeExecutor.write(kind, LeaseVersion.ABSENT, Answers.record(election), answers.writer(election));
    }

    private static CasOutcome written() {
        return new CasOutcome.Written(LeaseVersion.of(1));
    }

    /** Runs each store call immediately, inside the calls under way. At most {@code most} calls can be under way. */
    private static final class NestedThreads extends OneThread {
        final Deque<Runnable> timers = new ArrayDeque<>();
        int most = SystemThreads.MAX_STORE_THREADS;
        boolean throwing;
        private int running;
        private long nanos;

        NestedThreads() {
            super(new AtomicBoolean());
        }

        void pass(Duration time) {
            nanos += time.toNanos();
        }

        @Override
        public Moment now() {
            return new Moment(nanos, 0);
        }

        @Override
        public Timer at(long atNanos, Runnable task) {
            timers.add(task);
            return () -> {};
        }

        @Override
        public boolean store(Runnable call) {
            if (throwing) {
                throw new OutOfMemoryError("on purpose");
            }
            if (running >= most) {
                return false;
            }
            running++;
            call.run();
            running--;
            return true;
        }
    }

    /** Records the election of each call. During a call, runs the next of the given tasks. */
    private static final class NestedStore extends ForwardingLeaseStore {
        final List<String> calls = new ArrayList<>();
        private final Deque<Runnable> tasks = new ArrayDeque<>();

        NestedStore() {
            super(new MemoryLeaseStore());
        }

        void during(Runnable task) {
            tasks.add(task);
        }

        private void call(String election) {
            calls.add(election);
            Runnable task = tasks.poll();
            if (task != null) {
                task.run();
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
