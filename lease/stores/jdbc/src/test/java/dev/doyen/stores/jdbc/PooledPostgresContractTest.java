package dev.doyen.stores.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseVersion;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** Runs the store contract on a PostgreSQL pool at REPEATABLE READ without auto-commit. */
class PooledPostgresContractTest extends JdbcStoreContract {

    @Override
    String name() {
        return "postgresql " + Database.POSTGRESQL.version() + " (pool at REPEATABLE READ)";
    }

    @Override
    JdbcLeaseStore openStore() {
        return JdbcLeaseStore.open(pool(), PATIENT);
    }

    @Override
    Connection connect() throws SQLException {
        return Database.POSTGRESQL.connect();
    }

    private static DataSource pool() {
        // Start the server now, so that the store's timeout for its first connection does not include the start.
        DataSource source = Database.postgres("-c default_transaction_isolation=repeatable\\ read");
        return TransactionalPool.of(source::getConnection);
    }

    /** At REPEATABLE READ the losing transaction of a race gets error 40001 instead of zero changed rows. */
    @Test
    void a_serialization_failure_is_a_conflict() throws Exception {
        String name = Leases.fresh();
        var threads = Executors.newSingleThreadExecutor();
        try (LeaseStore store = openStore();
                Connection other = connect();
                Connection observer = connect()) {
            LeaseVersion version =
                    Leases.written(store.compareAndSet(name, LeaseVersion.ABSENT, Leases.record(name, 1)));
            other.setAutoCommit(false);
            Dialect.execute(other, "UPDATE doyen_lease SET revision = revision + 1 WHERE name = '" + name + "'");
            Future<CasOutcome> outcome =
                    threads.submit(() -> store.compareAndSet(name, version, Leases.record(name, 2)));
            while (Dialect.query(observer, "SELECT count(*) FROM pg_locks WHERE NOT granted")
                    .equals("0")) {
                assertThat(outcome.isDone())
                        .as("the write waits for the other transaction")
                        .isFalse();
            }
            other.commit();
            assertThat(outcome.get(60, TimeUnit.SECONDS)).isInstanceOf(CasOutcome.Conflict.class);
        } finally {
            threads.shutdownNow();
        }
    }
}
