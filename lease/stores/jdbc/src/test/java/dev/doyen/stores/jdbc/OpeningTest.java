package dev.doyen.stores.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.doyen.postgresserver.PostgresServer;
import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.StoreUnavailableException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests which URLs the store opens and which it rejects. No message may contain a credential. */
class OpeningTest {

    @TempDir
    Path directory;

    @Test
    void an_unsupported_database_is_rejected_with_its_name() {
        assertThatThrownBy(() -> LeaseStore.open("jdbc:oracle:thin:scott/tiger@host"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("leases cannot be stored in jdbc:oracle:; supported are jdbc:postgresql:, jdbc:mariadb:,"
                        + " jdbc:mysql:, jdbc:sqlite: and jdbc:h2:");
        assertThatThrownBy(() -> LeaseStore.open("jdbc:geheim"))
                .hasMessageStartingWith("leases cannot be stored in this URL");
    }

    @Test
    void settings_of_the_store_are_removed_from_the_url_for_the_driver() {
        JdbcUrl url = JdbcUrl.parse(
                "jdbc:postgresql://h/d?user=u&doyen.table=app.leases&doyen.timeout-millis=500"
                        + "&doyen.connections=2&doyen.create-table=false&ssl=true",
                JdbcSettings.DEFAULT);
        assertThat(url.driverUrl()).isEqualTo("jdbc:postgresql://h/d?user=u&ssl=true");
        assertThat(url.settings().table()).isEqualTo("app.leases");
        assertThat(url.settings().timeout()).hasMillis(500);
        assertThat(url.settings().connections()).isEqualTo(2);
        assertThat(url.settings().createTable()).isFalse();
        assertThat(JdbcUrl.parse("jdbc:h2:mem:x;doyen.table=t", JdbcSettings.DEFAULT)
                        .driverUrl())
                .isEqualTo("jdbc:h2:mem:x");
    }

    @Test
    void settings_out_of_bounds_are_rejected_with_the_bound() {
        assertThatThrownBy(() -> JdbcUrl.parse("jdbc:h2:mem:x;doyen.tabel=t", JdbcSettings.DEFAULT))
                .hasMessageContaining("doyen.tabel; there are doyen.table,");
        assertThatThrownBy(() -> JdbcUrl.parse("jdbc:h2:mem:x;doyen.timeout-millis=99", JdbcSettings.DEFAULT))
                .hasMessage("timeout is 99 ms; its bounds are 100 ms and 1 min (60000 ms)");
        assertThatThrownBy(() -> JdbcSettings.DEFAULT.withConnections(33))
                .hasMessage("connections is 33; its bounds are 1 and 32");
        assertThatThrownBy(() -> JdbcSettings.DEFAULT.withTable("t; DROP TABLE t"))
                .hasMessageContaining("letters, digits and underscores");
        assertThatThrownBy(() -> JdbcSettings.DEFAULT.withTable("x".repeat(64))).hasMessageContaining("1 to 63");
        assertThatThrownBy(() -> JdbcUrl.parse("jdbc:h2:mem:x;doyen.connections=many", JdbcSettings.DEFAULT))
                .hasMessage("doyen.connections is \"many\"; it is a whole number");
    }

    @Test
    void no_opening_failure_prints_the_url_or_a_credential() throws Exception {
        String h2 = "jdbc:h2:" + directory.resolve("h2");
        DriverManager.getConnection(h2, "sa", "richtig").close();
        List<String> urls = List.of(
                h2 + ";USER=sa;PASSWORD=geheim1",
                h2 + ";USER=sa;PASSWORD=geheim1;NO_SUCH_SETTING=geheim1",
                "jdbc:h2:nonsense:x;PASSWORD=geheim1",
                "jdbc:postgresql://user:geheim1@localhost:port/db?password=geheim1",
                "jdbc:postgresql://127.0.0.1:1/db?user=u&password=geheim1&sslpassword=geheim1",
                "jdbc:postgresql:///?password=geheim1&loginTimeout=geheim1",
                "jdbc:mariadb://127.0.0.1:1/db?user=u&password=geheim1",
                "jdbc:mariadb://user:geheim1@[::1/db?password=geheim1",
                "jdbc:mysql://user:geheim1@127.0.0.1:1/db?password=geheim1",
                "jdbc:mysql://user:geheim1@127.0.0.1:port/db?password=geheim1",
                "jdbc:sqlite:/no/such/directory/x.db?password=geheim1");
        for (String url : urls) {
            Throwable refused = catchThrowable(() -> LeaseStore.open(url).close());
            assertThat(refused).as(url).isNotNull();
            var trace = new StringWriter();
            refused.printStackTrace(new PrintWriter(trace));
            assertThat(trace.toString()).as(url).doesNotContain("geheim1");
            assertThat(refused.getMessage()).as(url).isNotBlank();
        }
        var credentials = new Properties();
        credentials.setProperty("user", "sa");
        credentials.setProperty("password", "geheim2");
        assertThatThrownBy(() -> JdbcLeaseStore.open(h2, credentials, JdbcSettings.DEFAULT))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageNotContaining("geheim2");
        credentials.setProperty("password", "richtig");
        JdbcLeaseStore.open(h2, credentials, JdbcSettings.DEFAULT).close();
    }

    @Test
    void a_failure_of_a_pool_is_reported_without_its_url() {
        DataSource pool = TransactionalPool.of(() -> {
            throw new SQLException("no connection to jdbc:postgresql://h/d?password=geheim3 with password = geheim3");
        });
        Throwable refused = catchThrowable(() -> JdbcLeaseStore.open(pool, JdbcSettings.DEFAULT));
        assertThat(refused)
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("no connection to jdbc:*** with password=***")
                .hasNoCause();
        assertThatThrownBy(() -> JdbcFence.open(pool))
                .hasMessageNotContaining("geheim3")
                .hasNoCause();
    }

    @Test
    void opening_is_repeated_if_the_database_did_not_answer_in_time() throws Exception {
        String h2 = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
        var unanswered = new AtomicInteger(3);
        DataSource pool = TransactionalPool.of(() -> {
            if (unanswered.getAndDecrement() > 0) {
                throw new SQLTimeoutException("no answer within 2000 ms");
            }
            return DriverManager.getConnection(h2);
        });
        try (LeaseStore store = JdbcLeaseStore.open(pool, JdbcSettings.DEFAULT)) {
            assertThat(store.read("orders").record()).isEmpty();
        }
        assertThat(unanswered).hasNegativeValue();
    }

    @Test
    void a_missing_table_is_reported_with_its_statement_if_creation_is_off() {
        String url = "jdbc:sqlite:" + directory.resolve("x.db");
        assertThatThrownBy(() -> LeaseStore.open(url + "?doyen.create-table=false"))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("create it: CREATE TABLE IF NOT EXISTS doyen_lease (name TEXT");
        LeaseStore.open(url).close();
        LeaseStore.open(url + "?doyen.create-table=false").close();
    }

    @Test
    void an_existing_table_is_sufficient_without_the_right_to_create() throws Exception {
        try (Connection admin = Database.POSTGRESQL.connect()) {
            JdbcLeaseStore.open(Database.POSTGRESQL.url()).close();
            Dialect.execute(admin, "DROP ROLE IF EXISTS plain");
            Dialect.execute(admin, "CREATE ROLE plain LOGIN");
            Dialect.execute(admin, "GRANT SELECT, INSERT, UPDATE ON doyen_lease TO plain");
        }
        String url = Database.POSTGRESQL.url().replace("user=postgres", "user=plain");
        try (LeaseStore store = LeaseStore.open(url)) {
            Leases.written(store.compareAndSet("plain", store.read("plain").version(), Leases.record("plain", 1)));
        }
        assertThatThrownBy(() -> LeaseStore.open(url + "&doyen.table=other"))
                .hasMessageContaining("the table other cannot be used")
                .hasMessageContaining("permission denied");
    }

    @Test
    void volatile_settings_of_postgres_are_reported_with_a_remedy() throws Exception {
        try (var server = PostgresServer.start(
                directory.resolve("pg"),
                0,
                Map.of("fsync", "off", "full_page_writes", "off", "synchronous_commit", "off"))) {
            LeaseStore.Promises byUrl = promises(LeaseStore.open(server.url()));
            assertThat(byUrl.durableTerms()).isFalse();
            assertThat(byUrl.remarks()).hasSize(2);
            assertThat(byUrl.remarks().get(0)).contains("fsync is off", "set fsync = on");
            assertThat(byUrl.remarks().get(1)).contains("full_page_writes is off", "set full_page_writes = on");
        }
        // On a connection that the store opens itself, the store turns synchronous_commit on.
        try (LeaseStore own = LeaseStore.open(Database.POSTGRESQL.url() + "&options=-c%20synchronous_commit=off")) {
            assertThat(own.promises().durableTerms()).isTrue();
            assertThat(own.promises().remarks()).isEmpty();
        }
        LeaseStore.Promises pooled =
                promises(JdbcLeaseStore.open(Database.postgres("-c synchronous_commit=off"), JdbcSettings.DEFAULT));
        assertThat(pooled.durableTerms()).isFalse();
        assertThat(pooled.remarks()).singleElement().asString().contains("synchronous_commit is off");
        assertThatThrownBy(() -> JdbcLeaseStore.open(
                        Database.postgres("-c default_transaction_read_only=on"), JdbcSettings.DEFAULT))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("transaction_read_only is on");
    }

    @Test
    void a_call_to_an_exhausted_pool_times_out_and_later_calls_succeed() throws Exception {
        var hangs = new AtomicBoolean();
        var released = new CountDownLatch(1);
        var settings = JdbcSettings.DEFAULT.withTimeout(Duration.ofMillis(1500)).withConnections(2);
        DataSource pool = TransactionalPool.of(() -> {
            if (hangs.get()) {
                try {
                    released.await();
                } catch (InterruptedException e) {
                    throw new SQLException(e);
                }
            }
            return DriverManager.getConnection("jdbc:h2:mem:hanging;DB_CLOSE_DELAY=-1", "sa", "");
        });
        try (LeaseStore store = JdbcLeaseStore.open(pool, settings)) {
            String name = Leases.fresh();
            Leases.written(store.compareAndSet(name, LeaseVersion.ABSENT, Leases.record(name, 1)));
            hangs.set(true);
            // The pool hangs, so the first two calls wait for a connection. The third call waits too, because the store
            // uses at most two connections. All three calls must time out.
            for (int i = 0; i < 3; i++) {
                assertThat(assertTimeoutPreemptively(
                                Duration.ofSeconds(60),
                                () -> store.compareAndSet(name, LeaseVersion.of(1), Leases.record(name, 2))))
                        .isInstanceOf(CasOutcome.Unknown.class);
            }
            hangs.set(false);
            released.countDown();
            // The store never sent the three writes, because each caller timed out before the pool returned a
            // connection.
            assertThat(store.read(name).version()).isEqualTo(LeaseVersion.of(1));
        }
    }

    private static LeaseStore.Promises promises(LeaseStore store) {
        try (store) {
            return store.promises();
        }
    }
}
