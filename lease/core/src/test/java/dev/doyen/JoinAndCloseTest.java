package dev.doyen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.driver.SystemThreads;
import dev.doyen.election.ElectionListener;
import dev.doyen.election.Threads;
import dev.doyen.event.LossCause;
import dev.doyen.event.Moment;
import dev.doyen.store.CasOutcome;
import dev.doyen.store.ForwardingLeaseStore;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.VersionedLease;
import dev.doyen.stores.local.MemoryLeaseStore;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Tests that a join that fails, or that meets a close, leaves no open watch. Also tests that closed elections create no
 * further election.
 */
@Timeout(180)
class JoinAndCloseTest {

    private final WatchedStore store = new WatchedStore();
    private final AtomicReference<Runnable> beforeTask = new AtomicReference<>(() -> {});

    @Test
    void a_join_that_is_rejected_leaves_no_watch() {
        Election election = Election.lease("orders").store(store).open();
        election.close();

        assertThatThrownBy(() -> election.join("a")).hasMessage("election \"orders\" is closed");
        assertThatThrownBy(election::observe).hasMessage("election \"orders\" is closed");
        assertThat(store.open).hasValue(0);
    }

    @Test
    void a_close_during_a_join_also_closes_the_candidate() throws Exception {
        Election election = Election.lease("orders").store(store).open();
        var closer = new Thread(election::close);
        store.beforeWatch = () -> startAndAwaitLock(closer);
        LeaseCandidate candidate = election.join("a");
        closer.join();

        assertThat(store.open).hasValue(0);
        assertThat(candidate.isLeader()).isFalse();
    }

    @Test
    void a_join_whose_start_fails_leaves_no_watch_and_no_member() throws Exception {
        try (var real = new SystemThreads("test")) {
            var election = (LeaseElection) Election.lease("orders")
                    .store(store)
                    .threads(new HookedThreads(real), () -> 7)
                    .open();
            beforeTask.set(() -> {
                beforeTask.set(() -> {});
                throw new OutOfMemoryError("on purpose");
            });
            assertThatThrownBy(() -> election.join("a")).isInstanceOf(OutOfMemoryError.class);
            awaitLoop(real);

            assertThat(store.open).hasValue(0);
            assertThat(election.leave()).isEmpty();
        }
    }

    @Test
    void a_loop_whose_creation_fails_leaves_no_watch() throws Exception {
        try (var real = new SystemThreads("test")) {
            Election election = Election.lease("orders")
                    .store(store)
                    .threads(real, () -> {
                        throw new OutOfMemoryError("on purpose");
                    })
                    .open();
            assertThatThrownBy(election::observe).isInstanceOf(OutOfMemoryError.class);

            assertThat(store.open).hasValue(0);
        }
    }

    @Test
    void no_election_is_created_during_the_close_of_the_elections() throws Exception {
        Elections elections = Elections.lease().store(store).open();
        var failure = new CompletableFuture<Throwable>();
        var caller = new Thread(() -> {
            try {
                elections.named("late");
                failure.complete(new AssertionError("an election was returned"));
            } catch (IllegalStateException e) {
                failure.complete(e);
            }
        });
        synchronized (elections) {
            startAndAwaitLock(caller);
            elections.close();
        }

        assertThat(failure.get(60, TimeUnit.SECONDS)).hasMessageStartingWith("the elections are closed");
    }

    @Test
    void no_candidate_joins_after_the_close_of_the_elections_has_begun() throws Exception {
        Elections elections = Elections.lease().store(store).open();
        Election election = elections.named("orders");
        var elected = new CountDownLatch(1);
        var failure = new CompletableFuture<Throwable>();
        election.join("a").listen(new ElectionListener<LeaseLeadership>() {
            @Override
            public void elected(LeaseLeadership leadership) {
                elected.countDown();
            }

            @Override
            public void lost(LossCause cause) {
                // The close waits for this callback.
                try {
                    election.join("late");
                    failure.complete(new AssertionError("a candidate was returned"));
                } catch (IllegalStateException e) {
                    failure.complete(e);
                }
            }
        });
        assertThat(elected.await(60, TimeUnit.SECONDS)).isTrue();
        elections.close();

        assertThat(failure.get(60, TimeUnit.SECONDS)).hasMessage("election \"orders\" is closed");
    }

    /** Starts a thread. Returns when the thread waits for a lock or has ended. */
    private static void startAndAwaitLock(Thread thread) {
        thread.start();
        while (thread.isAlive() && thread.getState() != Thread.State.BLOCKED) {
            Thread.onSpinWait();
        }
    }

    private static void awaitLoop(Threads threads) throws InterruptedException {
        var done = new CountDownLatch(1);
        threads.loop(done::countDown);
        assertThat(done.await(60, TimeUnit.SECONDS)).isTrue();
    }

    /** A store that counts its open watches, and runs {@code beforeWatch} before it opens a watch. */
    private static final class WatchedStore extends ForwardingLeaseStore {
        private final AtomicInteger open = new AtomicInteger();
        private volatile Runnable beforeWatch = () -> {};

        WatchedStore() {
            super(new MemoryLeaseStore());
        }

        @Override
        public Optional<Watch> watch(String election, Runnable changed) {
            beforeWatch.run();
            Watch watch = super.watch(election, changed).orElseThrow();
            open.incrementAndGet();
            return Optional.of(() -> {
                open.decrementAndGet();
                watch.close();
            });
        }

        @Override
        public VersionedLease read(String election) {
            return behind().read(election);
        }

        @Override
        public CasOutcome compareAndSet(String election, LeaseVersion expected, LeaseRecord next) {
            return behind().compareAndSet(election, expected, next);
        }
    }

    /** Threads that run {@link #beforeTask} before the test's own thread submits a loop task. */
    private final class HookedThreads implements Threads {
        private final Threads real;
        private final Thread test = Thread.currentThread();

        HookedThreads(Threads real) {
            this.real = real;
        }

        @Override
        public boolean loop(Runnable task) {
            if (Thread.currentThread().equals(test)) {
                beforeTask.get().run();
            }
            return real.loop(task);
        }

        @Override
        public Moment now() {
            return real.now();
        }

        @Override
        public Timer at(long nanos, Runnable task) {
            return real.at(nanos, task);
        }

        @Override
        public boolean store(Runnable call) {
            return real.store(call);
        }

        @Override
        public void callback(Runnable callback) {
            real.callback(callback);
        }

        @Override
        public void close() {
            real.close();
        }
    }
}
