package dev.doyen.stores.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

/** The store contract on SQLite in a file. */
class SqliteContractTest extends JdbcStoreContract {

    @Override
    String name() {
        return "sqlite " + Database.SQLITE.version();
    }

    @Override
    JdbcLeaseStore openStore() {
        return JdbcLeaseStore.open(Database.SQLITE.url());
    }

    @Override
    Connection connect() throws SQLException {
        return Database.SQLITE.connect();
    }
}
