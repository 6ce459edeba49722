package dev.doyen.stores.jdbc;

import static dev.doyen.stores.jdbc.Leases.record;
import static dev.doyen.stores.jdbc.Leases.written;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.StoreUnavailableException;
import dev.doyen.testkit.ProcessSignals;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests faults of a real MariaDB server. Some tests use both MariaDB's driver and MySQL's driver. */
class MariadbFaultsTest {

    /**
     * The limit for a call that must end by the store's timeout. The limit is much longer than this timeout, because a
     * busy machine is slow.
     */
    private static final Duration IN_TIME = Duration.ofSeconds(60);

    private static final List<String> SCHEMES = List.of("mariadb", "mysql");

    private final String name = Leases.fresh();

    @TempDir
    Path directory;

    @Test
    void confirmed_terms_survive_kill_9() throws Exception {
        try (var server = new MariadbServer(directory.resolve("data"));
                LeaseStore store = JdbcLeaseStore.open(server.url())) {
            LeaseVersion version = LeaseVersion.ABSENT;
            for (int term = 1; term <= 20; term++) {
                version = written(store.compareAndSet(name, version, record(name, term)));
            }
            server.crashAndRestart();
            try (LeaseStore again = JdbcLeaseStore.open(server.url())) {
                assertThat(again.read(name).version()).isEqualTo(version);
                assertThat(again.read(name).record().orElseThrow().term()).isEqualTo(20);
            }
        }
    }

    @Test
    void a_call_to_a_frozen_server_times_out_and_later_calls_succeed() throws Exception {
        try (var server = new MariadbServer(directory.resolve("data"))) {
            for (String scheme : SCHEMES) {
                String election = Leases.fresh();
                try (LeaseStore store =
                        JdbcLeaseStore.open(MariadbServer.url(scheme, server.port()) + "&doyen.timeout-millis=1000")) {
                    LeaseVersion version =
                            written(store.compareAndSet(election, LeaseVersion.ABSENT, record(election, 1)));
                    ProcessSignals.stop(server.pid());
                    try {
                        for (int i = 0; i < 5; i++) {
                            long began = System.nanoTime();
                            assertThat(store.compareAndSet(election, version, record(election, 2)))
                                    .as(scheme)
                                    .isInstanceOf(CasOutcome.Unknown.class);
                            assertInTime(began);
                        }
                    } finally {
                        ProcessSignals.resume(server.pid());
                    }
                    assertThat(readAtLast(store, election)).as(scheme).isIn(1L, 2L);
                }
            }
        }
    }

    @Test
    void a_write_whose_answer_is_lost_is_unknown_and_a_later_read_returns_it() throws Exception {
        int port = Database.Servers.mariadb().port();
        for (String scheme : SCHEMES) {
            for (TcpProxy.Answers lost : List.of(TcpProxy.Answers.SWALLOWED, TcpProxy.Answers.CUT)) {
                String election = Leases.fresh();
                try (var wire = new TcpProxy(port);
                        LeaseStore store = JdbcLeaseStore.open(
                                MariadbServer.url(scheme, wire.port()) + "&doyen.timeout-millis=1000");
                        LeaseStore direct = JdbcLeaseStore.open(Database.MARIADB.url())) {
                    LeaseVersion version =
                            written(store.compareAndSet(election, LeaseVersion.ABSENT, record(election, 1)));
                    LeaseRecord next = record(election, 2);
                    wire.answers(lost);
                    long began = System.nanoTime();
                    assertThat(store.compareAndSet(election, version, next)).isInstanceOf(CasOutcome.Unknown.class);
                    assertInTime(began);
                    assertThat(direct.read(election).record())
                            .as(scheme + " " + lost)
                            .contains(next);
                }
            }
        }
    }

    @Test
    void the_server_also_limits_the_wait_for_a_locked_row() throws Exception {
        for (String scheme : SCHEMES) {
            String election = Leases.fresh();
            try (LeaseStore store = JdbcLeaseStore.open(
                            MariadbServer.url(scheme, Database.Servers.mariadb().port()));
                    Connection other = Database.MARIADB.connect();
                    Connection observer = Database.MARIADB.connect()) {
                LeaseVersion version = written(store.compareAndSet(election, LeaseVersion.ABSENT, record(election, 1)));
                other.setAutoCommit(false);
                assertThat(Dialect.query(
                                other, "SELECT revision FROM doyen_lease WHERE name = '" + election + "' FOR UPDATE"))
                        .isEqualTo("1");
                long began = System.nanoTime();
                assertThat(store.compareAndSet(election, version, record(election, 2)))
                        .as(scheme)
                        .isInstanceOf(CasOutcome.Unknown.class);
                assertInTime(began);
                assertThat(Dialect.query(
                                observer,
                                "SELECT COUNT(*) FROM information_schema.innodb_trx WHERE trx_state = 'LOCK WAIT'"))
                        .as(scheme + ": no statement still waits")
                        .isEqualTo("0");
                other.rollback();
                written(store.compareAndSet(election, version, record(election, 3)));
            }
        }
    }

    @Test
    void volatile_settings_have_remarks_and_a_replica_is_rejected() throws Exception {
        try (var server = new MariadbServer(directory.resolve("data"));
                Connection root = server.connect()) {
            assertThat(promises(server).durableTerms()).isTrue();
            assertThat(promises(server).remarks()).isEmpty();

            Dialect.execute(root, "SET GLOBAL innodb_flush_log_at_trx_commit = 2");
            assertThat(promises(server).durableTerms()).isFalse();
            assertThat(promises(server).remarks())
                    .singleElement()
                    .asString()
                    .contains("innodb_flush_log_at_trx_commit is 2", "set innodb_flush_log_at_trx_commit = 1");
            Dialect.execute(root, "SET GLOBAL innodb_flush_log_at_trx_commit = 1");

            Dialect.execute(root, "ALTER TABLE doyen_lease ENGINE = MyISAM");
            assertThat(promises(server).remarks()).singleElement().asString().contains("engine MyISAM");
            Dialect.execute(root, "ALTER TABLE doyen_lease ENGINE = InnoDB");

            Dialect.execute(root, "SET GLOBAL read_only = 1");
            assertThatThrownBy(() -> promises(server))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("read_only");
        }
    }

    private static LeaseStore.Promises promises(MariadbServer server) {
        try (LeaseStore store = JdbcLeaseStore.open(server.url())) {
            return store.promises();
        }
    }

    private static long readAtLast(LeaseStore store, String election) {
        for (int i = 0; ; i++) {
            try {
                return store.read(election).record().orElseThrow().term();
            } catch (StoreUnavailableException e) {
                assertThat(i).as(e.getMessage()).isLessThan(20);
            }
        }
    }

    private static void assertInTime(long began) {
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(IN_TIME);
    }
}
