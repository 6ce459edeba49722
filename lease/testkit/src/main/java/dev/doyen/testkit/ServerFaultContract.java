package dev.doyen.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.doyen.event.SavedState;
import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.StoreUnavailableException;
import dev.doyen.store.VersionedLease;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests with server faults that every store with a server must pass.
 *
 * <p>In each test the server is killed, frozen or unreachable, or its requests or answers are lost.
 *
 * <p>A subclass starts the real server and opens the store. By default each test has its own server and data. Each wait
 * of a test has a limit.
 */
@Timeout(300)
public abstract class ServerFaultContract {

    /** The timeout of store calls that {@link #open} must set. */
    protected static final Duration TIMEOUT = Duration.ofMillis(1500);

    /**
     * The maximum duration of a call that must time out. It is much longer than {@link #TIMEOUT}, because the computer
     * can be busy. Nevertheless the test detects a call without a timeout, because such a call would never end.
     */
    private static final Duration IN_TIME = Duration.ofSeconds(60);

    /** The maximum time until a store works again after a fault. */
    protected static final Duration BACK_WITHIN = Duration.ofSeconds(90);

    @TempDir
    protected Path data;

    private final List<AutoCloseable> opened = new ArrayList<>();
    private final String election = "faults-" + UUID.randomUUID();

    /** Starts the server with its data in {@link #data}. */
    protected abstract RunningServer startServer() throws Exception;

    /** Opens the store on this port of this computer, with {@link #TIMEOUT} for its calls. */
    protected abstract LeaseStore open(int port);

    /** Starts a proxy for one store. The test passes the port of the proxy to {@link #open}. */
    protected TcpProxy proxy(RunningServer server) throws Exception {
        return new TcpProxy(server.port());
    }

    /**
     * Ends the server of {@link #startServer}. If a server starts slowly, a subclass may leave it running for the next
     * test.
     */
    protected void endServer(RunningServer server) throws Exception {
        server.close();
    }

    private RunningServer server() throws Exception {
        RunningServer server = startServer();
        toClose(() -> endServer(server));
        return server;
    }

    private <T extends AutoCloseable> T toClose(T next) {
        opened.add(0, next);
        return next;
    }

    /** Skips the test if its server is not installed. By default every test runs. */
    @BeforeEach
    protected void assumeItCanRun() {}

    @AfterEach
    void closeAll() throws Exception {
        for (AutoCloseable each : opened) {
            each.close();
        }
    }

    @Test
    void a_confirmed_term_survives_kill_9_of_the_server_if_that_is_promised() throws Exception {
        RunningServer server = server();
        LeaseStore store = toClose(open(server.port()));
        assumeTrue(store.promises().durableTerms(), "this store does not promise durable terms");
        LeaseVersion version = LeaseVersion.ABSENT;
        for (int term = 1; term <= 20; term++) {
            version = written(store, version, record(term));
        }
        server.kill();
        server.restart();
        VersionedLease kept = readAgain(toClose(open(server.port())));
        assertThat(kept.record().orElseThrow().term()).isEqualTo(20);
        assertThat(kept.version()).isEqualTo(version);
        assertThat(readAgain(store)).as("the store that was open all the time").isEqualTo(kept);
        written(store, version, record(21));
    }

    @Test
    void with_a_frozen_server_reads_fail_and_writes_are_unknown_in_time() throws Exception {
        RunningServer server = server();
        LeaseStore store = toClose(open(server.port()));
        LeaseVersion one = written(store, LeaseVersion.ABSENT, record(1));
        server.freeze();
        try {
            inTime(() ->
                    assertThat(store.compareAndSet(election, one, record(2))).isInstanceOf(CasOutcome.Unknown.class));
            inTime(() -> assertThatThrownBy(() -> store.read(election)).isInstanceOf(StoreUnavailableException.class));
            inTime(() -> assertThatThrownBy(() -> store.readAll(List.of(election, "other")))
                    .isInstanceOf(StoreUnavailableException.class));
        } finally {
            server.thaw();
        }
        VersionedLease after = readAgain(store);
        assertThat(after.record().orElseThrow().term())
                .as("the write may or may not have been made")
                .isBetween(1L, 2L);
    }

    @Test
    void with_a_stopped_server_reads_fail_and_writes_are_unknown_in_time() throws Exception {
        RunningServer server = server();
        LeaseStore store = toClose(open(server.port()));
        written(store, LeaseVersion.ABSENT, record(1));
        server.kill();
        inTime(() -> assertThat(store.compareAndSet(election, LeaseVersion.ABSENT, record(2)))
                .isInstanceOf(CasOutcome.Unknown.class));
        inTime(() -> assertThatThrownBy(() -> store.read(election)).isInstanceOf(StoreUnavailableException.class));
    }

    @Test
    void a_write_whose_answer_is_lost_is_unknown_and_a_later_read_shows_it() throws Exception {
        RunningServer server = server();
        LeaseStore direct = toClose(open(server.port()));
        TcpProxy proxy = toClose(proxy(server));
        LeaseStore store = toClose(open(proxy.port()));
        LeaseRecord first = record(1);
        // Lose the answer to the first write, not to a later write. Some stores read before a later write, and this
        // read would fail.
        proxy.loseAnswers();
        inTime(() -> assertThat(store.compareAndSet(election, LeaseVersion.ABSENT, first))
                .isInstanceOf(CasOutcome.Unknown.class));
        assertThat(direct.read(election).record()).as("it was made").contains(first);
        proxy.pass();
        VersionedLease seen = readAgain(store);
        assertThat(seen.record()).as("and its author sees it").contains(first);
        written(store, seen.version(), record(2));
    }

    @Test
    void a_lost_write_is_not_repeated_after_the_reconnection() throws Exception {
        RunningServer server = server();
        LeaseStore direct = toClose(open(server.port()));
        TcpProxy proxy = toClose(proxy(server));
        LeaseStore store = toClose(open(proxy.port()));
        LeaseVersion one = written(store, LeaseVersion.ABSENT, record(1));
        proxy.loseRequests();
        CompletableFuture<CasOutcome> write =
                CompletableFuture.supplyAsync(() -> store.compareAndSet(election, one, record(2)));
        // The write still waits for its answer when the proxy closes the connection. Some clients then repeat requests.
        assertThat(write.completeOnTimeout(new CasOutcome.Unknown("still waiting"), 200, TimeUnit.MILLISECONDS)
                        .get())
                .isInstanceOf(CasOutcome.Unknown.class);
        proxy.pass();
        assertThat(readAgain(store).version()).isEqualTo(one);
        // A repeated write would reach the server before this read.
        assertThat(store.read(election).version()).isEqualTo(one);
        assertThat(direct.read(election).version()).isEqualTo(one);
    }

    @Test
    void a_watch_survives_a_restart_of_the_server() throws Exception {
        RunningServer server = server();
        LeaseStore store = toClose(open(server.port()));
        assumeTrue(store.promises().watches(), "this store does not announce changes");
        var announced = new Semaphore(0);
        toClose(store.watch(election, announced::release).orElseThrow());
        server.kill();
        server.restart();
        LeaseStore other = toClose(open(server.port()));
        LeaseVersion version = readAgain(other).version();
        readAgain(store);
        // The store also announces a change after each reconnection. That announcement can arrive late. The test can
        // then mistake it for one of the ten announcements that the test waits for, but not for all ten.
        for (int i = 1; i <= 10; i++) {
            version = written(other, version, record(i));
            assertThat(announced.tryAcquire(BACK_WITHIN.toSeconds(), TimeUnit.SECONDS))
                    .as("change " + i)
                    .isTrue();
        }
    }

    @Test
    void a_change_during_a_disconnection_is_announced_after_it() throws Exception {
        RunningServer server = server();
        LeaseStore direct = toClose(open(server.port()));
        TcpProxy proxy = toClose(proxy(server));
        LeaseStore store = toClose(open(proxy.port()));
        assumeTrue(store.promises().watches(), "this store does not announce changes");
        var announced = new Semaphore(0);
        toClose(store.watch(election, announced::release).orElseThrow());
        LeaseVersion one = written(direct, LeaseVersion.ABSENT, record(1));
        assertThat(announced.tryAcquire(60, TimeUnit.SECONDS)).as("before").isTrue();
        proxy.cut();
        written(direct, one, record(2));
        announced.drainPermits();
        proxy.pass();
        assertThat(announced.tryAcquire(BACK_WITHIN.toSeconds(), TimeUnit.SECONDS))
                .as("after")
                .isTrue();
    }

    private VersionedLease readAgain(LeaseStore store) throws Exception {
        return readAgain(store, election);
    }

    /** Reads until the store is connected again, and returns the first answer. */
    protected static VersionedLease readAgain(LeaseStore store, String election) throws Exception {
        long start = System.nanoTime();
        while (true) {
            try {
                return store.read(election);
            } catch (StoreUnavailableException e) {
                if (System.nanoTime() - start > BACK_WITHIN.toNanos()) {
                    throw e;
                }
                // Some stores fail immediately while they have no connection. Give them time to connect.
                new Semaphore(0).tryAcquire(20, TimeUnit.MILLISECONDS);
            }
        }
    }

    private static void inTime(Runnable call) {
        long start = System.nanoTime();
        call.run();
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(IN_TIME);
    }

    private LeaseRecord record(long term) {
        return new LeaseRecord(
                election,
                "candidate",
                "incarnation",
                term,
                UUID.randomUUID().toString(),
                Duration.ofSeconds(10),
                Instant.EPOCH,
                Instant.EPOCH,
                SavedState.EMPTY,
                0);
    }

    /**
     * Writes a record, and returns its version. Repeats a write of unknown outcome, because a busy server can answer too
     * late. If an earlier attempt has stored the record, the next attempt conflicts with this record.
     */
    private static LeaseVersion written(LeaseStore store, LeaseVersion expected, LeaseRecord next) {
        long start = System.nanoTime();
        CasOutcome outcome = store.compareAndSet(next.election(), expected, next);
        while (outcome instanceof CasOutcome.Unknown && System.nanoTime() - start < BACK_WITHIN.toNanos()) {
            outcome = store.compareAndSet(next.election(), expected, next);
        }
        if (outcome instanceof CasOutcome.Conflict conflict
                && conflict.current().record().equals(Optional.of(next))) {
            return conflict.current().version();
        }
        assertThat(outcome).isInstanceOf(CasOutcome.Written.class);
        return ((CasOutcome.Written) outcome).version();
    }
}
