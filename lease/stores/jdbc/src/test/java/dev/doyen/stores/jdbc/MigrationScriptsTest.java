package dev.doyen.stores.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.store.LeaseStore;
import dev.doyen.store.StoreUnavailableException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.util.Locale;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests the scripts in the jar that create the lease table, for tools such as Flyway and Liquibase. */
class MigrationScriptsTest {

    /** The folders have the names that Spring Boot inserts for {@code {vendor}} in the locations of Flyway. */
    @ParameterizedTest
    @CsvSource({
        "postgresql, jdbc:postgresql://h/d",
        "mariadb, jdbc:mariadb://h/d",
        "mysql, jdbc:mysql://h/d",
        "sqlite, jdbc:sqlite:x",
        "h2, jdbc:h2:x"
    })
    void a_script_contains_the_statement_that_the_store_runs(String vendor, String url) throws IOException {
        String table = JdbcSettings.DEFAULT.table();
        assertThat(script(vendor).lines().filter(line -> !line.startsWith("--")))
                .containsExactly(Dialects.ofUrl(url).leaseTable(table) + ";");
    }

    @ParameterizedTest
    @EnumSource(Database.class)
    void a_store_uses_the_table_of_a_script_and_creates_no_table(Database database) throws Exception {
        // The other tests use the table doyen_lease of this database.
        String table = "migrated_" + database.name();
        JdbcSettings settings = JdbcSettings.DEFAULT.withTable(table).withCreateTable(false);
        assertThatThrownBy(() -> JdbcLeaseStore.open(database.dataSource(), settings))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("the table " + table + " cannot be used");
        try (Connection connection = database.dataSource().getConnection()) {
            String script = script(database.name().toLowerCase(Locale.ROOT)).replace("doyen_lease (", table + " (");
            Dialect.execute(connection, script);
            // Flyway runs a repeatable migration again after a change of its text.
            Dialect.execute(connection, script);
        }
        try (LeaseStore store = JdbcLeaseStore.open(database.dataSource(), settings)) {
            String election = Leases.fresh();
            Leases.written(store.compareAndSet(election, store.read(election).version(), Leases.record(election, 1)));
            assertThat(store.read(election).record().orElseThrow().term()).isEqualTo(1);
        }
    }

    private String script(String vendor) throws IOException {
        try (InputStream script = getClass().getResourceAsStream("migration/" + vendor + "/R__doyen_lease.sql")) {
            assertThat(script).as(vendor).isNotNull();
            return new String(script.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
