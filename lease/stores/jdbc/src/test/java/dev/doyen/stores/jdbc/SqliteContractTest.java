package dev.doyen.stores.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

/** Runs the store contract on SQLite in a file. */
class SqliteContractTest extends JdbcStoreContract {

    @Override
    String name() {
        return "sqlite " + Database.SQLITE.version();
    }

    @Override
    JdbcLeaseStore openStore() {
        return openPatiently(Database.SQLITE.url());
    }

    @Override
    Connection connect() throws SQLException {
        return Database.SQLITE.connect();
    }
}
