package dev.doyen.stores.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.fence.StaleTermException;
import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.StoreUnavailableException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests the auto-commit mode of connections that a store or fence returns to a pool.
 *
 * <p>The pool has one connection and does not reset the connection's mode.
 */
class AutoCommitTest {

    private final String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";

    /** The names of the connection methods that throw an exception. */
    private final Set<String> failing = ConcurrentHashMap.newKeySet();

    private final CountDownLatch aborted = new CountDownLatch(1);
    private Connection connection;
    private DataSource pool;

    @BeforeEach
    void connect() throws SQLException {
        connection = DriverManager.getConnection(url);
        Connection lent = (Connection) Proxy.newProxyInstance(
                Connection.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("close")) {
                        return null;
                    }
                    if (method.getName().equals("abort")) {
                        aborted.countDown();
                        return null;
                    }
                    if (failing.contains(method.getName())) {
                        throw new SQLException("on purpose");
                    }
                    try {
                        return method.invoke(connection, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
        pool = (DataSource) Proxy.newProxyInstance(
                DataSource.class.getClassLoader(),
                new Class<?>[] {DataSource.class},
                (proxy, method, arguments) -> lent);
    }

    @AfterEach
    void disconnect() throws SQLException {
        connection.close();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_fence_returns_a_connection_unchanged(boolean autoCommit) throws SQLException {
        connection.setAutoCommit(autoCommit);

        assertThatThrownBy(() -> JdbcFence.open(pool, "missing", false)).isInstanceOf(StoreUnavailableException.class);
        assertThat(connection.getAutoCommit()).as("after a failure to open").isEqualTo(autoCommit);

        JdbcFence fence = JdbcFence.open(pool);
        assertThat(connection.getAutoCommit()).as("after opening").isEqualTo(autoCommit);

        fence.admit("orders", 2);
        assertThat(connection.getAutoCommit()).as("after an admitted term").isEqualTo(autoCommit);

        assertThatThrownBy(() -> fence.admit("orders", 1)).isInstanceOf(StaleTermException.class);
        assertThat(connection.getAutoCommit()).as("after a lower term").isEqualTo(autoCommit);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_fence_whose_rollback_fails_still_rejects_the_term_and_aborts_the_connection(boolean autoCommit)
            throws Exception {
        connection.setAutoCommit(autoCommit);
        JdbcFence fence = JdbcFence.open(pool);
        fence.admit("orders", 2);
        failing.add("rollback");

        assertThatThrownBy(() -> fence.admit("orders", 1)).isInstanceOf(StaleTermException.class);
        assertThat(aborted.await(60, TimeUnit.SECONDS)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_store_returns_a_connection_unchanged_after_a_failure(boolean autoCommit) throws SQLException {
        connection.setAutoCommit(autoCommit);
        try (JdbcLeaseStore store = JdbcLeaseStore.open(pool, JdbcSettings.DEFAULT)) {
            failing.add("commit");
            assertThat(store.compareAndSetAll(List.of(write("a"), write("b"))))
                    .hasOnlyElementsOfType(CasOutcome.Unknown.class);
            assertThat(connection.getAutoCommit()).as("after a failed commit").isEqualTo(autoCommit);

            failing.add("prepareStatement");
            assertThatThrownBy(() -> store.read("a")).isInstanceOf(StoreUnavailableException.class);
            assertThat(connection.getAutoCommit()).as("after a failed read").isEqualTo(autoCommit);

            failing.clear();
            assertThat(store.read("a").record())
                    .as("the failed commit has written nothing")
                    .isEmpty();
            assertThat(connection.getAutoCommit()).as("after a read").isEqualTo(autoCommit);
        }
    }

    private static LeaseStore.Write write(String election) {
        return new LeaseStore.Write(LeaseVersion.ABSENT, Leases.record(election, 1));
    }
}
