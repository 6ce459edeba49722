package dev.doyen.stores.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.StoreRefusedException;
import dev.doyen.store.StoreUnavailableException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that the store names a missing right and the remedy. */
class MissingRightTest {

    private static final String GRANT = "grant SELECT, INSERT and UPDATE on the table doyen_lease to this user";

    @TempDir
    Path directory;

    @Test
    void a_user_of_postgres_that_may_only_read_has_a_remark_and_its_writes_are_rejected() throws Exception {
        try (Connection admin = Database.POSTGRESQL.connect()) {
            LeaseStore.open(Database.POSTGRESQL.url()).close();
            Dialect.execute(admin, "DROP ROLE IF EXISTS reader");
            Dialect.execute(admin, "CREATE ROLE reader LOGIN");
            Dialect.execute(admin, "GRANT SELECT ON doyen_lease TO reader");
        }
        String url = Database.POSTGRESQL.url().replace("user=postgres", "user=reader");
        try (LeaseStore store = LeaseStore.open(url)) {
            assertThat(store.missingRights()).singleElement().asString().contains("may not write", "42501", GRANT);
            assertThat(store.promises().remarks())
                    .as("the remarks are about terms that the store can lose")
                    .isEmpty();
            String name = Leases.fresh();
            assertThat(store.read(name).record()).isEmpty();
            CasOutcome rejected = store.compareAndSet(name, LeaseVersion.ABSENT, Leases.record(name, 1));
            isRefused(rejected, "the lease of \"" + name + "\" cannot be written to PostgreSQL: ", "42501", GRANT);
            String other = Leases.fresh();
            List<CasOutcome> outcomes = store.compareAndSetAll(List.of(
                    new LeaseStore.Write(LeaseVersion.ABSENT, Leases.record(name, 1)),
                    new LeaseStore.Write(LeaseVersion.ABSENT, Leases.record(other, 1))));
            assertThat(outcomes).hasSize(2).allSatisfy(outcome -> isRefused(outcome, "42501", GRANT));
            // Two writes for one election are in separate calls. The second call is not made.
            List<CasOutcome> twice = store.compareAndSetAll(List.of(
                    new LeaseStore.Write(LeaseVersion.ABSENT, Leases.record(name, 1)),
                    new LeaseStore.Write(LeaseVersion.of(1), Leases.record(name, 1))));
            assertThat(twice).hasSize(2).allSatisfy(outcome -> isRefused(outcome, "42501", GRANT));
            assertThat(twice.get(1)).asString().contains("this write was not tried");
        }
    }

    @Test
    void a_store_that_is_only_read_writes_nothing() throws Exception {
        String url = "jdbc:h2:" + directory.resolve("unwritten") + ";USER=sa";
        try (LeaseStore store = JdbcLeaseStore.open(url);
                Connection admin = DriverManager.getConnection(url)) {
            assertThat(store.read("orders").record()).isEmpty();
            assertThat(Dialect.query(admin, "SELECT count(*) FROM doyen_lease")).isEqualTo("0");
            assertThat(store.missingRights()).isEmpty();
            assertThat(Dialect.query(admin, "SELECT count(*) FROM doyen_lease")).isEqualTo("1");
        }
    }

    @Test
    void a_right_that_postgres_revokes_later_is_named() throws Exception {
        try (Connection admin = Database.POSTGRESQL.connect()) {
            LeaseStore.open(Database.POSTGRESQL.url()).close();
            Dialect.execute(admin, "DROP ROLE IF EXISTS former");
            Dialect.execute(admin, "CREATE ROLE former LOGIN");
            Dialect.execute(admin, "GRANT SELECT, INSERT, UPDATE ON doyen_lease TO former");
            String url = Database.POSTGRESQL.url().replace("user=postgres", "user=former");
            try (LeaseStore store = LeaseStore.open(url)) {
                assertThat(store.missingRights()).isEmpty();
                Dialect.execute(admin, "REVOKE SELECT, INSERT, UPDATE ON doyen_lease FROM former");
                assertThatThrownBy(() -> store.read("orders"))
                        .isInstanceOf(StoreRefusedException.class)
                        .hasMessageContaining("42501")
                        .hasMessageContaining(GRANT);
                assertThatThrownBy(() -> store.readAll(List.of("orders", "bills")))
                        .isInstanceOf(StoreRefusedException.class);
            }
        }
    }

    @Test
    void a_role_that_postgres_does_not_know_cannot_open_the_store() {
        String url = Database.POSTGRESQL.url().replace("user=postgres", "user=nobody");
        assertThatThrownBy(() -> LeaseStore.open(url))
                .isInstanceOf(StoreRefusedException.class)
                .hasMessageContaining("28")
                .hasMessageEndingWith("check the user and the password, and let this user connect to the database");
    }

    @Test
    void a_table_that_this_user_may_not_create_is_named() throws Exception {
        try (Connection admin = Database.POSTGRESQL.connect()) {
            Dialect.execute(admin, "DROP ROLE IF EXISTS tableless");
            Dialect.execute(admin, "CREATE ROLE tableless LOGIN");
        }
        String url = Database.POSTGRESQL.url().replace("user=postgres", "user=tableless") + "&doyen.table=unmade";
        assertThatThrownBy(() -> LeaseStore.open(url))
                .isInstanceOf(StoreRefusedException.class)
                .hasMessageContaining("permission denied")
                .hasMessageContaining("let this user read and write it, or create it: CREATE TABLE");
    }

    @Test
    void a_user_of_h2_that_may_only_read_has_a_remark() throws Exception {
        String url = "jdbc:h2:" + directory.resolve("rights");
        try (Connection admin = DriverManager.getConnection(url, "sa", "")) {
            JdbcLeaseStore.open(url + ";USER=sa").close();
            Dialect.execute(admin, "CREATE USER reader PASSWORD 'x'");
            Dialect.execute(admin, "GRANT SELECT ON doyen_lease TO reader");
            var login = new Properties();
            login.setProperty("user", "reader");
            login.setProperty("password", "x");
            try (LeaseStore store = JdbcLeaseStore.open(url, login, JdbcSettings.DEFAULT)) {
                assertThat(store.missingRights()).singleElement().asString().contains(GRANT);
                isRefused(store.compareAndSet("orders", LeaseVersion.ABSENT, Leases.record("orders", 1)), GRANT);
            }
        }
    }

    @Test
    void a_database_that_is_away_rejects_nothing() {
        assertThatThrownBy(() -> LeaseStore.open("jdbc:postgresql://127.0.0.1:1/db?user=u"))
                .isInstanceOf(StoreUnavailableException.class)
                .isNotInstanceOf(StoreRefusedException.class);
    }

    @Test
    void a_limit_of_a_user_of_mysql_is_no_missing_right() {
        Dialect mysql = new Mysql("MySQL");
        assertThat(mysql.refuses(new SQLException("denied", "42000", 1142))).isTrue();
        assertThat(mysql.refuses(new SQLException("too many connections", "42000", 1203)))
                .isFalse();
        assertThat(mysql.refuses(new SQLException("limit", "42000", 1226))).isFalse();
        assertThat(mysql.refuses(new SQLException("pool", "42000", 0, new SQLException("limit", "42000", 1226))))
                .as("a limit in the exception of a pool")
                .isFalse();
        assertThat(mysql.refuses(new SQLException("pool", new SQLException("denied", "42000", 1142))))
                .isTrue();
        assertThat(new Sqlite().refuses(new SQLException("read only", null, 8))).isTrue();
        var wrappedReadOnly = new SQLException("pool", new SQLException("read only", null, 8));
        assertThat(new Sqlite().refuses(wrappedReadOnly)).isTrue();
        var wrapped = new SQLException("no connection", new SQLException("password", "28P01"));
        assertThat(new Postgres().refuses(wrapped)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "42501, true",
        "42P01, true",
        "42703, true",
        "3F000, true",
        "28P01, true",
        "42P05, false",
        "42601, false",
        "53300, false"
    })
    void postgres_reports_a_missing_right_by_these_states(String state, boolean isRefused) {
        assertThat(new Postgres().refuses(new SQLException("on purpose", state)))
                .isEqualTo(isRefused);
    }

    @ParameterizedTest
    @CsvSource({
        "1044, true",
        "1045, true",
        "1142, true",
        "1143, true",
        "1146, true",
        "1227, true",
        "1064, false",
        "1461, false"
    })
    void mysql_reports_a_missing_right_by_these_codes(int code, boolean isRefused) {
        assertThat(new Mysql("MariaDB").refuses(new SQLException("on purpose", "42000", code)))
                .isEqualTo(isRefused);
    }

    @ParameterizedTest
    @CsvSource({"42S02, true", "42S04, true", "42S22, true", "90096, true", "42000, false", "42001, false"})
    void h2_reports_a_missing_right_by_these_states(String state, boolean isRefused) {
        assertThat(new H2().refuses(new SQLException("on purpose", state))).isEqualTo(isRefused);
    }

    private static void isRefused(CasOutcome outcome, String... parts) {
        assertThat(outcome).isInstanceOfSatisfying(CasOutcome.Unknown.class, unknown -> {
            assertThat(unknown.refused()).isTrue();
            assertThat(unknown.reason()).contains(parts);
        });
    }
}
