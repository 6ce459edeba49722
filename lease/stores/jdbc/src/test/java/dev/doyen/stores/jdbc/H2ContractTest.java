package dev.doyen.stores.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

/** Runs the store contract on embedded H2 in a file. */
class H2ContractTest extends JdbcStoreContract {

    @Override
    String name() {
        return "h2 " + Database.H2.version();
    }

    @Override
    JdbcLeaseStore openStore() {
        return openPatiently(Database.H2.url());
    }

    @Override
    Connection connect() throws SQLException {
        return Database.H2.connect();
    }
}
