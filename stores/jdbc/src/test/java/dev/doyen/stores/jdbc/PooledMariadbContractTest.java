package dev.doyen.stores.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/** Somebody else's pool on MariaDB, at its default of REPEATABLE READ. */
class PooledMariadbContractTest extends JdbcStoreContract {

    @Override
    String name() {
        return "mariadb " + Database.MARIADB.version() + " (pool at REPEATABLE READ)";
    }

    @Override
    JdbcLeaseStore openStore() {
        try {
            return JdbcLeaseStore.open(pool(), JdbcSettings.DEFAULT);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    Connection connect() throws SQLException {
        return Database.MARIADB.connect();
    }

    private static DataSource pool() throws SQLException {
        // Here, and not with the first connection: the server may have to be started, and the store waits for 2 s only.
        DataSource source = Database.MARIADB.dataSource();
        return TransactionalPool.of(source::getConnection);
    }
}
