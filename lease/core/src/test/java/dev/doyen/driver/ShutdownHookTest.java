package dev.doyen.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.doyen.Election;
import dev.doyen.Elections;
import dev.doyen.stores.local.MemoryLeaseStore;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests which elections the shutdown hook closes, and when the hook is registered in the JVM. */
@Timeout(180)
class ShutdownHookTest {

    private final List<Thread> registered = new ArrayList<>();
    private final List<String> closed = Collections.synchronizedList(new ArrayList<>());
    private boolean shuttingDown;
    private final ShutdownHook hook = hook(Duration.ofSeconds(60));

    @Test
    void all_elections_are_closed_at_the_same_time() throws InterruptedException {
        var all = new CyclicBarrier(3);
        for (String name : List.of("a", "b", "c")) {
            hook.add(name, name, () -> {
                all.await(60, TimeUnit.SECONDS);
                closed.add(name);
            });
        }
        shutDown();

        assertThat(closed).containsExactlyInAnyOrder("a", "b", "c");
    }

    @Test
    void an_error_in_one_close_does_not_stop_the_others() throws InterruptedException {
        hook.add("a", "a", () -> closed.add("a"));
        hook.add("b", "b", () -> {
            throw new OutOfMemoryError("on purpose");
        });
        hook.add("c", "c", () -> {
            throw new IllegalStateException("on purpose");
        });
        hook.add("d", "d", () -> closed.add("d"));
        shutDown();

        assertThat(closed).containsExactlyInAnyOrder("a", "d");
    }

    @Test
    void a_close_that_hangs_delays_the_shutdown_only_to_the_limit() throws Exception {
        var mayEnd = new CountDownLatch(1);
        var ended = new CountDownLatch(1);
        ShutdownHook impatient = hook(Duration.ZERO);
        impatient.add("a", "a", () -> {
            mayEnd.await();
            ended.countDown();
        });
        shutDown();

        mayEnd.countDown();
        assertThat(ended.await(60, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void a_removed_election_is_not_closed() throws InterruptedException {
        hook.add("a", "a", () -> closed.add("a"));
        hook.add("b", "b", () -> closed.add("b"));
        hook.remove("a");
        hook.remove("a");
        shutDown();

        assertThat(closed).containsExactly("b");
    }

    @Test
    void the_hook_is_registered_while_an_election_is_open() {
        hook.remove("unknown");
        assertThat(registered).isEmpty();
        hook.add("a", "a", () -> {});
        hook.add("b", "b", () -> {});
        assertThat(registered).hasSize(1);
        hook.remove("a");
        assertThat(registered).hasSize(1);
        hook.remove("b");
        assertThat(registered).isEmpty();
        hook.add("c", "c", () -> {});
        assertThat(registered).hasSize(1);
    }

    @Test
    void the_hook_does_not_keep_the_class_loader_of_the_caller() throws IOException {
        Thread caller = Thread.currentThread();
        ClassLoader before = caller.getContextClassLoader();
        try (var application = new URLClassLoader(new URL[0], before)) {
            caller.setContextClassLoader(application);
            hook.add("a", "a", () -> {});
        } finally {
            caller.setContextClassLoader(before);
        }
        assertThat(registered)
                .singleElement()
                .extracting(Thread::getContextClassLoader)
                .isSameAs(ShutdownHook.class.getClassLoader());
    }

    @Test
    void an_election_removes_itself_when_the_hook_closes_it() throws InterruptedException {
        hook.add("a", "a", () -> {
            hook.remove("a");
            closed.add("a");
        });
        shutDown();

        assertThat(closed).containsExactly("a");
    }

    @Test
    void no_election_can_be_opened_after_the_shutdown_has_begun() throws InterruptedException {
        String message = "election \"b\" cannot be opened, because the JVM is shutting down;"
                + " to open it nevertheless, set closeOnShutdown(false) and close it yourself";
        shuttingDown = true;
        assertThatIllegalStateException()
                .as("the hook is not registered yet")
                .isThrownBy(() -> hook.add("b", "election \"b\"", () -> {}))
                .withMessage(message);
        shuttingDown = false;
        hook.add("a", "a", () -> closed.add("a"));
        shutDown();
        assertThatIllegalStateException()
                .as("the hook runs")
                .isThrownBy(() -> hook.add("b", "election \"b\"", () -> {}))
                .withMessage(message);
        hook.remove("a");
    }

    @Test
    void an_open_election_is_in_the_hook_until_its_close() {
        Election election =
                Election.lease("orders").store(new MemoryLeaseStore()).open();
        Elections elections = Elections.lease().store(new MemoryLeaseStore()).open();
        election.join("n1");
        Election named = elections.named("orders");
        named.join("n1");
        assertThat(ShutdownHook.OF_JVM.closes(election)).isTrue();
        assertThat(ShutdownHook.OF_JVM.closes(elections)).isTrue();
        assertThat(ShutdownHook.OF_JVM.closes(named)).isFalse();
        election.close();
        elections.close();
        assertThat(ShutdownHook.OF_JVM.closes(election)).isFalse();
        assertThat(ShutdownHook.OF_JVM.closes(elections)).isFalse();
    }

    @Test
    void the_hook_does_not_close_what_the_caller_closes() {
        try (var threads = new SystemThreads("callers");
                Election callersOrder = Election.lease("orders")
                        .store(new MemoryLeaseStore())
                        .closeOnShutdown(false)
                        .open();
                Election callersThreads = Election.lease("orders")
                        .store(new MemoryLeaseStore())
                        .threads(threads, () -> 7)
                        .open()) {
            assertThat(ShutdownHook.OF_JVM.closes(callersOrder)).isFalse();
            assertThat(ShutdownHook.OF_JVM.closes(callersThreads)).isFalse();
        }
    }

    @Test
    void a_thread_waits_for_the_caller_if_it_is_the_caller() throws InterruptedException {
        assertThat(ShutdownHook.waitsForCaller(null)).isFalse();
        assertThat(ShutdownHook.waitsForCaller(Thread.currentThread())).isTrue();
        var waiting = new Thread(() -> {
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        waiting.start();
        while (waiting.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        assertThat(ShutdownHook.waitsForCaller(waiting)).isFalse();
        waiting.interrupt();
    }

    /** Does what the JVM does: it first rejects hooks, then starts the registered hooks and waits for their end. */
    private void shutDown() throws InterruptedException {
        shuttingDown = true;
        registered.forEach(Thread::start);
        for (Thread hook : registered) {
            hook.join();
        }
    }

    private ShutdownHook hook(Duration limit) {
        return new ShutdownHook(
                limit,
                added -> {
                    checkRunning();
                    registered.add(added);
                },
                removed -> {
                    checkRunning();
                    registered.remove(removed);
                });
    }

    private void checkRunning() {
        if (shuttingDown) {
            throw new IllegalStateException("Shutdown in progress");
        }
    }
}
