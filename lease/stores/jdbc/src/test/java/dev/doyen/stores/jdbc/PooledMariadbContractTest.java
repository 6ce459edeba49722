package dev.doyen.stores.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/** Runs the store contract on a MariaDB pool at REPEATABLE READ, MariaDB's default. */
class PooledMariadbContractTest extends JdbcStoreContract {

    @Override
    String name() {
        return "mariadb " + Database.MARIADB.version() + " (pool at REPEATABLE READ)";
    }

    @Override
    JdbcLeaseStore openStore() {
        try {
            return JdbcLeaseStore.open(pool(), PATIENT);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    Connection connect() throws SQLException {
        return Database.MARIADB.connect();
    }

    private static DataSource pool() throws SQLException {
        // Start the server now, so that the store's timeout for its first connection does not include the start.
        DataSource source = Database.MARIADB.dataSource();
        return TransactionalPool.of(source::getConnection);
    }
}
