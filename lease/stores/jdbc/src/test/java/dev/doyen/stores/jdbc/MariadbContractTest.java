package dev.doyen.stores.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

/** Runs the store contract on a real MariaDB server, with a URL and MariaDB's driver. */
class MariadbContractTest extends JdbcStoreContract {

    @Override
    String name() {
        return "mariadb " + Database.MARIADB.version();
    }

    @Override
    JdbcLeaseStore openStore() {
        return openPatiently(Database.MARIADB.url());
    }

    @Override
    Connection connect() throws SQLException {
        return Database.MARIADB.connect();
    }
}
