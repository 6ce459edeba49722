package dev.doyen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.driver.SystemThreads;
import dev.doyen.election.ElectionListener;
import dev.doyen.election.Threads;
import dev.doyen.store.CasOutcome;
import dev.doyen.store.ForwardingLeaseStore;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseStoreProvider;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.StoreUnavailableException;
import dev.doyen.store.VersionedLease;
import dev.doyen.stores.local.MemoryLeaseStore;
import java.lang.reflect.Proxy;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that an election closes what it has opened, and closes nothing that belongs to the caller. */
class ClosingTest {

    private static final AtomicInteger STORES_OPEN = new AtomicInteger();

    @TempDir
    Path services;

    @Test
    void an_election_closes_its_threads() {
        var election = (LeaseElection)
                Election.lease("orders").store(new MemoryLeaseStore()).open();
        assertThat(takesWork(election.threads())).isTrue();
        election.close();
        assertThat(takesWork(election.threads())).isFalse();
    }

    @Test
    void elections_close_their_threads() {
        Elections elections = Elections.lease().store(new MemoryLeaseStore()).open();
        var election = (LeaseElection) elections.named("orders");
        election.close();
        assertThat(takesWork(election.threads()))
                .as("the threads belong to all elections")
                .isTrue();
        elections.close();
        assertThat(takesWork(election.threads())).isFalse();
    }

    @Test
    void threads_of_the_caller_continue() throws Exception {
        try (var threads = new SystemThreads("callers")) {
            Election.lease("orders")
                    .store(new MemoryLeaseStore())
                    .threads(threads, () -> 7)
                    .open()
                    .close();
            var later = new CountDownLatch(1);
            threads.loop(later::countDown);
            assertThat(later.await(60, TimeUnit.SECONDS)).isTrue();
            assertThat(takesWork(threads)).isTrue();
        }
    }

    @Test
    void a_store_opened_by_URL_is_closed_with_the_election() throws Exception {
        withCountedStores(() -> {
            Election election = Election.lease("orders").store("counted:").open();
            assertThat(STORES_OPEN).hasValue(1);
            election.close();
            assertThat(STORES_OPEN).hasValue(0);
        });
    }

    @Test
    void a_store_opened_by_URL_is_closed_if_it_does_not_support_fencing() throws Exception {
        withCountedStores(() -> {
            assertThatThrownBy(() -> Election.lease("orders")
                            .store("counted:")
                            .fencing(Fencing.REQUIRED)
                            .open())
                    .isInstanceOf(IllegalArgumentException.class);
            assertThat(STORES_OPEN).hasValue(0);
        });
    }

    @Test
    void a_store_opened_by_URL_is_closed_if_its_promises_cannot_be_read() throws Exception {
        withCountedStores(() -> {
            assertThatThrownBy(() -> Election.lease("orders")
                            .store("counted:without-promises")
                            .fencing(Fencing.REQUIRED)
                            .open())
                    .isInstanceOf(StoreUnavailableException.class);
            assertThat(STORES_OPEN).hasValue(0);
        });
    }

    @Test
    void a_store_opened_by_URL_is_closed_if_the_session_cannot_start() throws Exception {
        withCountedStores(() -> {
            Threads failing = (Threads) Proxy.newProxyInstance(
                    Threads.class.getClassLoader(), new Class<?>[] {Threads.class}, (proxy, method, arguments) -> {
                        throw new OutOfMemoryError("on purpose");
                    });
            assertThatThrownBy(() -> Elections.lease()
                            .store("counted:")
                            .threads(failing, () -> 7)
                            .open())
                    .isInstanceOf(OutOfMemoryError.class);
            assertThat(STORES_OPEN).hasValue(0);
        });
    }

    @Test
    void a_store_of_the_caller_stays_open() {
        var store = new Counted(true);
        Election.lease("orders").store(store).open().close();
        assertThat(STORES_OPEN).hasValue(1);
        store.close();
    }

    @Test
    void a_closed_candidate_is_removed() {
        // The ttl is longer than the time limit of the test. So the test passes only if {@code close} does not wait
        // for the ttl.
        try (var election = (LeaseElection) Election.lease("orders")
                .store(new MemoryLeaseStore())
                .ttl(Duration.ofHours(1))
                .open()) {
            LeaseCandidate candidate = election.join("n1");
            candidate.close();
            assertThat(election.leave()).isEmpty();
        }
    }

    @Test
    void work_that_outlasts_the_close_is_followed_by_the_release() throws Exception { // L6
        var store = new MemoryLeaseStore();
        var election = (LeaseElection)
                Election.lease("orders").store(store).ttl(Duration.ofHours(1)).open();
        Thread loop = loopThread(election.threads());
        LeaseCandidate candidate = election.join("n1");
        var elected = new CountDownLatch(1);
        var mayEnd = new CountDownLatch(1);
        candidate.listen(whenElected(() -> {
            elected.countDown();
            awaitQuietly(mayEnd);
        }));
        assertThat(elected.await(60, TimeUnit.SECONDS)).isTrue();
        // If the calling thread is interrupted, the method close does not wait.
        Thread.currentThread().interrupt();
        election.close();
        assertThat(Thread.interrupted()).isTrue();
        CompletableFuture<Void> paused = candidate.pause();
        CompletableFuture<Void> left = candidate.leave();
        assertThat(left).isNotDone();
        mayEnd.countDown();

        assertThat(paused.get(60, TimeUnit.SECONDS)).isNull();
        assertThat(left.get(60, TimeUnit.SECONDS)).isNull();
        assertThat(store.read("orders").record().orElseThrow().isHeld()).isFalse();
        loop.join(TimeUnit.SECONDS.toMillis(60));
        assertThat(loop.isAlive()).as("the election has closed its threads").isFalse();
        assertThat(candidate.leave()).isDone();
    }

    @Test
    void a_second_close_also_waits_for_the_release() throws Exception {
        var store = new MemoryLeaseStore();
        Election election =
                Election.lease("orders").store(store).ttl(Duration.ofHours(1)).open();
        assertThat(isHeldAfterSecondClose(election, election, store)).isFalse();
    }

    @Test
    void a_second_close_of_elections_also_waits_for_the_release() throws Exception {
        var store = new MemoryLeaseStore();
        Elections elections =
                Elections.lease().store(store).ttl(Duration.ofHours(1)).open();
        assertThat(isHeldAfterSecondClose(elections, elections.named("orders"), store))
                .isFalse();
    }

    @Test
    void elections_that_a_callback_closes_release_their_session_after_it() throws Exception { // L12.4
        var store = new MemoryLeaseStore();
        Elections elections =
                Elections.lease().store(store).ttl(Duration.ofHours(1)).open();
        var election = (LeaseElection) elections.named("orders");
        Thread loop = loopThread(election.threads());
        LeaseCandidate candidate = election.join("n1");
        candidate.listen(whenElected(elections::close));
        loop.join(TimeUnit.SECONDS.toMillis(60));

        assertThat(loop.isAlive()).as("the elections have closed their threads").isFalse();
        assertThat(store.read("orders").record().orElseThrow().isHeld()).isFalse();
        for (int n = 1; n <= 16; n++) {
            assertThat(store.read("~session/" + n).record().filter(LeaseRecord::isHeld))
                    .isEmpty();
        }
    }

    @Test
    void a_store_opened_by_URL_is_closed_even_if_the_caller_has_closed_its_threads() throws Exception {
        withCountedStores(() -> {
            var threads = new SystemThreads("callers");
            Election election = Election.lease("orders")
                    .store("counted:")
                    .threads(threads, () -> 7)
                    .open();
            election.observe();
            threads.close();
            // If the calling thread is interrupted, the method close does not wait.
            Thread.currentThread().interrupt();
            election.close();
            assertThat(Thread.interrupted()).isTrue();
            assertThat(STORES_OPEN).hasValue(0);
        });
    }

    /** Closes twice while a callback runs. Returns whether the lease was held when the second close returned. */
    private static boolean isHeldAfterSecondClose(AutoCloseable closing, Election election, LeaseStore store)
            throws Exception {
        var elected = new CountDownLatch(1);
        var mayEnd = new CountDownLatch(1);
        election.join("n1").listen(whenElected(() -> {
            elected.countDown();
            awaitQuietly(mayEnd);
        }));
        assertThat(elected.await(60, TimeUnit.SECONDS)).isTrue();
        var held = new CompletableFuture<Boolean>();
        Thread first = startAndAwaitWait(() -> close(closing));
        Thread second = startAndAwaitWait(() -> {
            close(closing);
            held.complete(store.read("orders").record().orElseThrow().isHeld());
        });
        mayEnd.countDown();
        first.join();
        second.join();
        return held.get(60, TimeUnit.SECONDS);
    }

    /** Starts a thread. Returns when the thread waits for a limited time or has ended. */
    private static Thread startAndAwaitWait(Runnable work) {
        var thread = new Thread(work);
        thread.start();
        while (thread.isAlive() && thread.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
        return thread;
    }

    private static void close(AutoCloseable closing) {
        try {
            closing.close();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static ElectionListener<LeaseLeadership> whenElected(Runnable action) {
        return new ElectionListener<>() {
            @Override
            public void elected(LeaseLeadership leadership) {
                action.run();
            }
        };
    }

    private static Thread loopThread(Threads threads) throws Exception {
        var loop = new CompletableFuture<Thread>();
        threads.loop(() -> loop.complete(Thread.currentThread()));
        return loop.get(60, TimeUnit.SECONDS);
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static boolean takesWork(Threads threads) {
        return threads.loop(() -> {});
    }

    /** Runs the test while the class path contains a provider that counts open stores. */
    private void withCountedStores(Runnable test) throws Exception {
        Path list = services.resolve("META-INF/services/" + LeaseStoreProvider.class.getName());
        Files.createDirectories(list.getParent());
        Files.writeString(list, CountedStores.class.getName());
        Thread current = Thread.currentThread();
        ClassLoader usual = current.getContextClassLoader();
        try (var loader = new URLClassLoader(new URL[] {services.toUri().toURL()}, usual)) {
            current.setContextClassLoader(loader);
            test.run();
        } finally {
            current.setContextClassLoader(usual);
        }
    }

    /** The provider of the stores with the scheme {@code counted:}. */
    public static final class CountedStores implements LeaseStoreProvider {
        @Override
        public String scheme() {
            return "counted";
        }

        @Override
        public LeaseStore open(String url) {
            return new Counted(!url.endsWith("without-promises"));
        }
    }

    private static final class Counted extends ForwardingLeaseStore {
        private final boolean promises;

        Counted(boolean promises) {
            super(new MemoryLeaseStore());
            this.promises = promises;
            STORES_OPEN.incrementAndGet();
        }

        @Override
        public LeaseStore.Promises promises() {
            if (!promises) {
                throw new StoreUnavailableException("no answer, on purpose");
            }
            return super.promises();
        }

        @Override
        public VersionedLease read(String election) {
            return behind().read(election);
        }

        @Override
        public CasOutcome compareAndSet(String election, LeaseVersion expected, LeaseRecord next) {
            return behind().compareAndSet(election, expected, next);
        }

        @Override
        public void close() {
            STORES_OPEN.decrementAndGet();
        }
    }
}
