package dev.doyen.stores.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.fence.StaleTermException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.sql.DataSource;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests the fence on every {@link Database}. */
class FenceTest {

    private final String resource = "resource-" + UUID.randomUUID();

    @ParameterizedTest
    @EnumSource
    void the_same_and_higher_terms_are_admitted_and_lower_ones_are_not(Database database) throws Exception {
        JdbcFence fence = JdbcFence.open(database.dataSource());
        fence.admit(resource, 7);
        fence.admit(resource, 7);
        fence.admit(resource, 9);
        assertThatThrownBy(() -> fence.admit(resource, 8)).isInstanceOfSatisfying(StaleTermException.class, stale -> {
            assertThat(stale.offered()).isEqualTo(8);
            assertThat(stale.seen()).isEqualTo(9);
        });
        fence.admit(resource, 9);
        fence.admit(resource.toUpperCase(Locale.ROOT), 1);
        fence.admit(resource + " ", 1);
        // A new instance must read the term that the first instance stored.
        JdbcFence again = JdbcFence.open(database.dataSource());
        assertThatThrownBy(() -> again.admit(resource, 8)).isInstanceOf(StaleTermException.class);
    }

    @ParameterizedTest
    @EnumSource
    void a_rolled_back_transaction_does_not_store_the_term(Database database) throws Exception {
        DataSource source = database.dataSource();
        JdbcFence fence = JdbcFence.open(source);
        fence.admit(resource, 3);
        try (Connection transaction = transaction(source)) {
            fence.admit(transaction, resource, 8);
            assertThatThrownBy(() -> fence.admit(transaction, resource, 7)).isInstanceOf(StaleTermException.class);
            // The rejection must not abort the transaction.
            fence.admit(transaction, resource, 9);
            transaction.rollback();
        }
        fence.admit(resource, 4);
    }

    @ParameterizedTest
    @EnumSource
    void a_term_and_the_data_written_under_it_are_committed_together(Database database) throws Exception {
        DataSource source = database.dataSource();
        JdbcFence fence = JdbcFence.open(source);
        try (Connection connection = source.getConnection()) {
            Dialect.execute(connection, "CREATE TABLE IF NOT EXISTS counters (id VARCHAR(60) PRIMARY KEY, n BIGINT)");
        }
        try (Connection transaction = transaction(source)) {
            fence.admit(transaction, resource, 5);
            change(transaction, "INSERT INTO counters (id, n) VALUES (?, 1)", resource);
            transaction.commit();
        }
        try (Connection transaction = transaction(source)) {
            assertThatThrownBy(() -> fence.admit(transaction, resource, 4)).isInstanceOf(StaleTermException.class);
            transaction.rollback();
        }
        try (Connection connection = source.getConnection()) {
            assertThat(Dialect.query(connection, "SELECT n FROM counters WHERE id = '" + resource + "'"))
                    .isEqualTo("1");
        }
    }

    @ParameterizedTest
    @EnumSource
    void the_highest_of_concurrently_admitted_terms_remains(Database database) throws Exception {
        DataSource source = database.dataSource();
        JdbcFence fence = JdbcFence.open(source);
        int racers = 6;
        var threads = Executors.newFixedThreadPool(racers);
        try {
            for (int round = 0; round < 5; round++) {
                String raced = resource + "-" + round;
                var start = new CyclicBarrier(racers);
                List<Future<Boolean>> admitted = new ArrayList<>();
                for (int term = 1; term <= racers; term++) {
                    int own = term;
                    admitted.add(threads.submit(() -> {
                        start.await();
                        try {
                            fence.admit(raced, own);
                            return true;
                        } catch (StaleTermException e) {
                            return false;
                        }
                    }));
                }
                for (Future<Boolean> each : admitted) {
                    each.get(30, TimeUnit.SECONDS);
                }
                assertThat(admitted.get(racers - 1).get())
                        .as("the highest term is admitted")
                        .isTrue();
                assertThatThrownBy(() -> fence.admit(raced, racers - 1)).isInstanceOf(StaleTermException.class);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    /** A higher term must wait until the transaction of the lower term has ended. */
    @ParameterizedTest
    @EnumSource
    void a_higher_term_waits_for_the_transaction_of_a_lower_one(Database database) throws Exception {
        DataSource source = database.dataSource();
        JdbcFence fence = JdbcFence.open(source);
        fence.admit(resource, 1);
        var threads = Executors.newSingleThreadExecutor();
        try (Connection lower = transaction(source)) {
            fence.admit(lower, resource, 2);
            Future<?> higher = threads.submit(() -> {
                try (Connection connection = transaction(source)) {
                    fence.admit(connection, resource, 3);
                    connection.commit();
                }
                return true;
            });
            assertThatThrownBy(() -> higher.get(300, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
            lower.commit();
            assertThatCode(() -> higher.get(30, TimeUnit.SECONDS)).doesNotThrowAnyException();
        } finally {
            threads.shutdownNow();
        }
        assertThatThrownBy(() -> fence.admit(resource, 2)).isInstanceOf(StaleTermException.class);
    }

    /** At REPEATABLE READ, MariaDB's default, the old transaction's snapshot shows only the first term. */
    @ParameterizedTest
    @EnumSource
    void a_transaction_that_started_before_a_higher_term_is_not_admitted(Database database) throws Exception {
        DataSource source = database.dataSource();
        JdbcFence fence = JdbcFence.open(source);
        fence.admit(resource, 1);
        try (Connection old = transaction(source)) {
            assertThat(Dialect.query(old, "SELECT COUNT(*) FROM doyen_fence")).isNotEqualTo("0");
            fence.admit(resource, 3);
            assertThatThrownBy(() -> fence.admit(old, resource, 2))
                    .isInstanceOfAny(StaleTermException.class, SQLException.class);
            old.rollback();
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_connection_with_auto_commit_is_rejected(Database database) throws Exception {
        DataSource source = database.dataSource();
        JdbcFence fence = JdbcFence.open(source);
        try (Connection connection = source.getConnection()) {
            assertThatThrownBy(() -> fence.admit(connection, resource, 1))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("setAutoCommit(false)");
        }
    }

    /** Checks the pattern in docs/reference/store-jdbc.md for application rows that store a term themselves. */
    @ParameterizedTest
    @EnumSource
    void a_row_with_its_own_term_rejects_a_lower_one(Database database) throws Exception {
        try (Connection connection = database.dataSource().getConnection()) {
            String table = "orders_" + UUID.randomUUID().toString().replace('-', '_');
            Dialect.execute(connection, "CREATE TABLE " + table + " (id BIGINT PRIMARY KEY, status VARCHAR(20))");
            Dialect.execute(connection, "INSERT INTO " + table + " (id, status) VALUES (1, 'new')");
            Dialect.execute(connection, "ALTER TABLE " + table + " ADD COLUMN fence BIGINT DEFAULT 0 NOT NULL");
            assertThat(guarded(connection, table, "paid", 8)).isEqualTo(1);
            assertThat(guarded(connection, table, "lost", 7)).isZero();
            assertThat(guarded(connection, table, "sent", 8)).isEqualTo(1);
            assertThat(Dialect.query(connection, "SELECT status FROM " + table)).isEqualTo("sent");
            Dialect.execute(connection, "DROP TABLE " + table);
        }
    }

    private static int guarded(Connection connection, String table, String status, long term) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(
                "UPDATE " + table + " SET status = ?, fence = ? WHERE id = 1 AND fence <= ?")) {
            statement.setString(1, status);
            statement.setLong(2, term);
            statement.setLong(3, term);
            return statement.executeUpdate();
        }
    }

    private static Connection transaction(DataSource source) throws SQLException {
        Connection connection = source.getConnection();
        connection.setAutoCommit(false);
        return connection;
    }

    private static void change(Connection connection, String sql, String id) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, id);
            statement.executeUpdate();
        }
    }
}
