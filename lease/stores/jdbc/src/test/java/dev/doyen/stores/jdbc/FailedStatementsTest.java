package dev.doyen.stores.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseVersion;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the outcome of a write if a later statement of the same call fails. The pool has one connection. */
class FailedStatementsTest {

    /** A long timeout, because a busy machine needs time to open a database. */
    private static final JdbcSettings PATIENT = JdbcSettings.DEFAULT.withTimeout(Duration.ofSeconds(30));

    @TempDir
    Path directory;

    /** The exceptions of the next statements that begin with these texts. */
    private final Map<String, Supplier<SQLException>> failing = new ConcurrentHashMap<>();

    private Optional<Connection> opened = Optional.empty();
    private volatile boolean aborted;

    @AfterEach
    void disconnect() throws SQLException {
        if (opened.isPresent()) {
            opened.get().close();
        }
    }

    @Test
    void a_written_record_that_cannot_be_synced_has_an_unknown_outcome() throws Exception {
        try (LeaseStore store = h2()) {
            failing.put("CHECKPOINT SYNC", FailedStatementsTest::lockTimeout);

            assertThat(store.compareAndSet("a", LeaseVersion.ABSENT, Leases.record("a", 1)))
                    .isInstanceOf(CasOutcome.Unknown.class);
            assertThat(failing).isEmpty();
            assertThat(store.read("a").record()).isPresent();
        }
    }

    @Test
    void written_records_that_cannot_be_synced_have_an_unknown_outcome() throws Exception {
        try (LeaseStore store = h2()) {
            failing.put("CHECKPOINT SYNC", FailedStatementsTest::lockTimeout);

            assertThat(store.compareAndSetAll(List.of(write("a"), write("b"))))
                    .hasSize(2)
                    .hasOnlyElementsOfType(CasOutcome.Unknown.class);
            assertThat(failing).isEmpty();
        }
    }

    @Test
    void a_failed_read_after_the_writes_makes_no_written_record_a_conflict() throws Exception {
        try (LeaseStore store = h2()) {
            Leases.written(store.compareAndSet("b", LeaseVersion.ABSENT, Leases.record("b", 1)));
            failing.put("SELECT name, revision, record", FailedStatementsTest::lockTimeout);

            assertThat(store.compareAndSetAll(List.of(write("a"), write("b"))))
                    .hasSize(2)
                    .hasOnlyElementsOfType(CasOutcome.Unknown.class);
            assertThat(failing).isEmpty();
        }
    }

    @Test
    void a_failed_commit_in_sqlite_leaves_no_open_transaction() throws Exception {
        DataSource pool = pool("jdbc:sqlite:" + directory.resolve("sqlite.db"));
        try (LeaseStore store = JdbcLeaseStore.open(pool, PATIENT)) {
            failing.put("COMMIT", FailedStatementsTest::diskFull);

            assertThat(store.compareAndSetAll(List.of(write("a"), write("b"))))
                    .hasSize(2)
                    .hasOnlyElementsOfType(CasOutcome.Unknown.class);
            assertThat(failing).isEmpty();
            assertThatCode(() -> Dialect.execute(opened.orElseThrow(), "BEGIN"))
                    .as("SQLite does not begin a transaction within a transaction")
                    .doesNotThrowAnyException();
            Dialect.execute(opened.orElseThrow(), "ROLLBACK");
        }
    }

    @Test
    void a_connection_whose_transaction_in_sqlite_cannot_be_rolled_back_is_aborted() throws Exception {
        DataSource pool = pool("jdbc:sqlite:" + directory.resolve("sqlite.db"));
        try (LeaseStore store = JdbcLeaseStore.open(pool, PATIENT)) {
            failing.put("COMMIT", FailedStatementsTest::diskFull);
            failing.put("ROLLBACK", FailedStatementsTest::diskFull);

            assertThat(store.compareAndSetAll(List.of(write("a"), write("b"))))
                    .hasSize(2)
                    .hasOnlyElementsOfType(CasOutcome.Unknown.class);
            assertThat(failing).isEmpty();
            assertThat(aborted).isTrue();
        }
    }

    /** Returns an exception with H2's codes of a lock timeout. After a failed write, they mean that nothing was written. */
    private static SQLException lockTimeout() {
        return new SQLException("on purpose", "HYT00", 50200);
    }

    private static SQLException diskFull() {
        return new SQLException("on purpose", null, 13);
    }

    private LeaseStore h2() throws SQLException {
        // H2 syncs only a database in a file, and only for a user with ADMIN rights.
        return JdbcLeaseStore.open(pool("jdbc:h2:" + directory.resolve("h2") + ";USER=sa"), PATIENT);
    }

    private static LeaseStore.Write write(String election) {
        return new LeaseStore.Write(LeaseVersion.ABSENT, Leases.record(election, 1));
    }

    private DataSource pool(String url) throws SQLException {
        Connection connection = DriverManager.getConnection(url);
        opened = Optional.of(connection);
        Connection lent = proxy(Connection.class, connection);
        return (DataSource) Proxy.newProxyInstance(
                DataSource.class.getClassLoader(),
                new Class<?>[] {DataSource.class},
                (proxy, method, arguments) -> lent);
    }

    /**
     * Returns a proxy of a connection or statement. The proxy throws the exceptions in {@link #failing}. It ignores
     * {@code close} and {@code abort} of the connection, and records an abort.
     */
    private <T> T proxy(Class<T> type, T target) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    if (target instanceof Connection
                            && List.of("close", "abort").contains(method.getName())) {
                        aborted |= method.getName().equals("abort");
                        return null;
                    }
                    if (arguments != null && arguments.length > 0 && arguments[0] instanceof String sql) {
                        Optional<String> beginning = failing.keySet().stream()
                                .filter(sql::startsWith)
                                .findFirst();
                        if (beginning.isPresent()) {
                            throw failing.remove(beginning.get()).get();
                        }
                    }
                    try {
                        Object result = method.invoke(target, arguments);
                        return method.getName().equals("createStatement")
                                ? proxy(Statement.class, (Statement) result)
                                : result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }
}
