package dev.doyen.stores.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

/** Runs the store contract on a real PostgreSQL server, with a URL. */
class PostgresContractTest extends JdbcStoreContract {

    @Override
    String name() {
        return "postgresql " + Database.POSTGRESQL.version();
    }

    @Override
    JdbcLeaseStore openStore() {
        return openPatiently(Database.POSTGRESQL.url());
    }

    @Override
    Connection connect() throws SQLException {
        return Database.POSTGRESQL.connect();
    }
}
