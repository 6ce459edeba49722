package dev.doyen.stores.jdbc;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;

/** Runs the store contract on H2 in memory. */
class H2MemoryContractTest extends JdbcStoreContract {

    private static final String URL = "jdbc:h2:mem:contract;USER=sa";

    @Override
    String name() {
        return "h2 in memory " + Database.H2.version();
    }

    @Override
    JdbcLeaseStore openStore() {
        return openPatiently(URL);
    }

    @Override
    Connection connect() throws SQLException {
        return DriverManager.getConnection(URL);
    }
}
