package dev.doyen.stores.jdbc;

import static dev.doyen.stores.jdbc.Leases.record;
import static dev.doyen.stores.jdbc.Leases.written;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.postgresserver.PostgresServer;
import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.StoreUnavailableException;
import dev.doyen.store.VersionedLease;
import dev.doyen.testkit.ProcessSignals;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Tests faults of a real PostgreSQL server, such as a killed server or locked rows. Another test counts the
 * transactions that create 100,000 leases.
 */
class PostgresFaultsTest {

    /**
     * The limit for a call that must end by the store's timeout. The limit is much longer than this timeout, because a
     * busy machine is slow.
     */
    private static final Duration IN_TIME = Duration.ofSeconds(60);

    private final String name = Leases.fresh();

    @TempDir
    Path directory;

    @Test
    void confirmed_terms_survive_kill_9_and_watches_announce_changes_afterwards() throws Exception {
        try (var server = PostgresServer.start(directory.resolve("pg"));
                LeaseStore store = JdbcLeaseStore.open(server.url())) {
            var announced = new Semaphore(0);
            assertThat(store.watch(name, announced::release)).isPresent();
            await(announced, "the start of the listener is announced");
            LeaseVersion version = LeaseVersion.ABSENT;
            for (int term = 1; term <= 20; term++) {
                version = written(store.compareAndSet(name, version, record(name, term)));
            }
            await(announced, "a change is announced");
            server.crash();
            assertThat(store.compareAndSet(name, version, record(name, 99))).isInstanceOf(CasOutcome.Unknown.class);
            announced.drainPermits();
            server.restart();
            await(announced, "the return of the server is announced without a change");
            assertThat(readAtLast(store).version()).isEqualTo(version);
            assertThat(readAtLast(store).record().orElseThrow().term()).isEqualTo(20);
            announced.drainPermits();
            written(store.compareAndSet(name, version, record(name, 21)));
            await(announced, "a change after the return is announced");
        }
    }

    @Test
    void a_call_to_a_frozen_server_times_out_and_later_calls_succeed() throws Exception {
        try (var server = PostgresServer.start(directory.resolve("pg"));
                LeaseStore store = JdbcLeaseStore.open(server.url() + "&doyen.timeout-millis=1000")) {
            LeaseVersion version = written(store.compareAndSet(name, LeaseVersion.ABSENT, record(name, 1)));
            List<Long> frozen = server.processes().map(ProcessHandle::pid).toList();
            try {
                for (long pid : frozen) {
                    ProcessSignals.stop(pid);
                }
                for (int i = 0; i < 5; i++) {
                    long began = System.nanoTime();
                    assertThat(store.compareAndSet(name, version, record(name, 2)))
                            .isInstanceOf(CasOutcome.Unknown.class);
                    assertInTime(began);
                }
                long began = System.nanoTime();
                assertThatThrownBy(() -> store.read(name)).isInstanceOf(StoreUnavailableException.class);
                assertInTime(began);
            } finally {
                for (long pid : frozen) {
                    ProcessSignals.resume(pid);
                }
            }
            assertThat(readAtLast(store).record().orElseThrow().term()).isIn(1L, 2L);
        }
    }

    @Test
    void a_frozen_backend_is_abandoned_and_another_answers() throws Exception {
        try (LeaseStore store = JdbcLeaseStore.open(
                        Database.POSTGRESQL.url() + "&ApplicationName=" + name,
                        new Properties(),
                        JdbcSettings.DEFAULT);
                Connection observer = Database.POSTGRESQL.connect()) {
            LeaseVersion version = written(store.compareAndSet(name, LeaseVersion.ABSENT, record(name, 1)));
            long backend = Long.parseLong(Dialect.query(
                    observer, "SELECT pid FROM pg_stat_activity WHERE application_name = '" + name + "'"));
            ProcessSignals.stop(backend);
            try {
                long began = System.nanoTime();
                assertThat(store.compareAndSet(name, version, record(name, 2))).isInstanceOf(CasOutcome.Unknown.class);
                assertInTime(began);
                assertThat(store.read(name).version()).isEqualTo(version);
                written(store.compareAndSet(name, version, record(name, 3)));
            } finally {
                ProcessSignals.resume(backend);
            }
            // A late write of the frozen backend fails, because the expected version no longer exists.
            assertThat(store.read(name).record().orElseThrow().term()).isEqualTo(3);
        }
    }

    @Test
    void the_server_also_limits_the_wait_for_a_locked_row() throws Exception {
        try (LeaseStore store = JdbcLeaseStore.open(Database.POSTGRESQL.url() + "&ApplicationName=" + name);
                Connection other = Database.POSTGRESQL.connect();
                Connection observer = Database.POSTGRESQL.connect()) {
            LeaseVersion version = written(store.compareAndSet(name, LeaseVersion.ABSENT, record(name, 1)));
            other.setAutoCommit(false);
            try (PreparedStatement lock =
                    other.prepareStatement("SELECT 1 FROM doyen_lease WHERE name = ? FOR UPDATE")) {
                lock.setString(1, name);
                try (ResultSet row = lock.executeQuery()) {
                    assertThat(row.next()).isTrue();
                }
            }
            long began = System.nanoTime();
            assertThat(store.compareAndSet(name, version, record(name, 2))).isInstanceOf(CasOutcome.Unknown.class);
            assertInTime(began);
            assertThat(Dialect.query(
                            observer,
                            "SELECT count(*) FROM pg_stat_activity WHERE state = 'active' AND application_name = '"
                                    + name + "'"))
                    .as("no statement still waits")
                    .isEqualTo("0");
            other.rollback();
            written(store.compareAndSet(name, version, record(name, 3)));
        }
    }

    @Test
    void a_write_whose_answer_is_lost_is_unknown_and_a_later_read_returns_it() throws Exception {
        for (TcpProxy.Answers lost : List.of(TcpProxy.Answers.SWALLOWED, TcpProxy.Answers.CUT)) {
            try (var wire = new TcpProxy(Database.Servers.postgres().port());
                    LeaseStore store = JdbcLeaseStore.open(
                            PostgresServer.url("127.0.0.1", wire.port()) + "&doyen.timeout-millis=1000")) {
                String election = Leases.fresh();
                LeaseVersion version = written(store.compareAndSet(election, LeaseVersion.ABSENT, record(election, 1)));
                LeaseRecord next = record(election, 2);
                wire.answers(lost);
                long began = System.nanoTime();
                assertThat(store.compareAndSet(election, version, next)).isInstanceOf(CasOutcome.Unknown.class);
                assertInTime(began);
                assertThat(store.compareAndSetAll(List.of(new LeaseStore.Write(version, next))))
                        .allMatch(CasOutcome.Unknown.class::isInstance);
                wire.answers(TcpProxy.Answers.PASSED_ON);
                VersionedLease seen = readAtLast(store, election);
                assertThat(seen.record()).contains(next);
                assertThat(store.compareAndSet(election, version, record(election, 3)))
                        .isEqualTo(new CasOutcome.Conflict(seen));
            }
        }
    }

    @Test
    void a_hundred_thousand_leases_are_created_in_few_statements() throws Exception {
        int many = 100_000;
        List<LeaseStore.Write> creations = new ArrayList<>();
        List<String> names = new ArrayList<>();
        for (int i = 0; i < many; i++) {
            names.add(name + "-" + i);
            creations.add(new LeaseStore.Write(LeaseVersion.ABSENT, record(names.get(i), 1)));
        }
        try (LeaseStore store = JdbcLeaseStore.open(Database.POSTGRESQL.url())) {
            long before = transactions();
            long began = System.nanoTime();
            assertThat(store.compareAndSetAll(creations)).hasSize(many).allMatch(CasOutcome.Written.class::isInstance);
            long created = System.nanoTime();
            long after = transactions();
            assertThat(after - before).as("number of transactions").isLessThan(many / 100);
            assertThat(store.readAll(names)).hasSize(many).doesNotContainValue(VersionedLease.ABSENT);
            long read = System.nanoTime();
            System.out.printf(
                    "postgresql: %,d leases created in %d transactions and %.1f s, read in %.1f s%n",
                    many, after - before, (created - began) / 1e9, (read - created) / 1e9);
        }
    }

    @Test
    void a_standby_is_rejected() throws Exception {
        Path data = directory.resolve("pg");
        try (var server = PostgresServer.start(data)) {
            server.crash();
            Files.createFile(data.resolve("standby.signal"));
            server.restart();
            assertThatThrownBy(() -> JdbcLeaseStore.open(server.url()))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("is a standby");
            var pool = new PGSimpleDataSource();
            pool.setUrl(server.url());
            assertThatThrownBy(() -> JdbcLeaseStore.open(pool, JdbcSettings.DEFAULT))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("is a standby");
        }
    }

    @Test
    void another_server_behind_the_same_address_is_detected() throws Exception {
        try (var first = PostgresServer.start(directory.resolve("first"));
                var second = PostgresServer.start(directory.resolve("second"));
                var wire = new TcpProxy(first.port());
                LeaseStore store = JdbcLeaseStore.open(PostgresServer.url("127.0.0.1", wire.port()))) {
            LeaseVersion version = written(store.compareAndSet(name, LeaseVersion.ABSENT, record(name, 1)));
            JdbcLeaseStore.open(second.url()).close();
            wire.reconnectTo(second.port());
            assertThat(store.compareAndSet(name, version, record(name, 2))).isInstanceOf(CasOutcome.Unknown.class);
            assertThatThrownBy(() -> store.read(name))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("is not the one");
        }
    }

    private VersionedLease readAtLast(LeaseStore store) {
        return readAtLast(store, name);
    }

    /** Repeats the read until it succeeds, because the store detects broken connections one at a time. */
    private static VersionedLease readAtLast(LeaseStore store, String election) {
        for (int i = 0; ; i++) {
            try {
                return store.read(election);
            } catch (StoreUnavailableException e) {
                assertThat(i).as(e.getMessage()).isLessThan(20);
            }
        }
    }

    private static void await(Semaphore announced, String what) throws InterruptedException {
        assertThat(announced.tryAcquire(60, TimeUnit.SECONDS)).as(what).isTrue();
    }

    private static void assertInTime(long began) {
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(IN_TIME);
    }

    private static long transactions() throws Exception {
        try (Connection connection = Database.POSTGRESQL.connect()) {
            // Each transaction that writes gets the next id, so the id counts these transactions.
            return Long.parseLong(Dialect.query(connection, "SELECT pg_current_xact_id()::text"));
        }
    }
}
