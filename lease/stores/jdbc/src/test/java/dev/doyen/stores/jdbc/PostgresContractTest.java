package dev.doyen.stores.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

/** The store contract on a real PostgreSQL, by URL. */
class PostgresContractTest extends JdbcStoreContract {

    @Override
    String name() {
        return "postgresql " + Database.POSTGRESQL.version();
    }

    @Override
    JdbcLeaseStore openStore() {
        return JdbcLeaseStore.open(Database.POSTGRESQL.url());
    }

    @Override
    Connection connect() throws SQLException {
        return Database.POSTGRESQL.connect();
    }
}
