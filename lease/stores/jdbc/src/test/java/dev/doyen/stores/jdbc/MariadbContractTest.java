package dev.doyen.stores.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

/** The store contract on a real MariaDB, by URL and with MariaDB's driver. */
class MariadbContractTest extends JdbcStoreContract {

    @Override
    String name() {
        return "mariadb " + Database.MARIADB.version();
    }

    @Override
    JdbcLeaseStore openStore() {
        return JdbcLeaseStore.open(Database.MARIADB.url());
    }

    @Override
    Connection connect() throws SQLException {
        return Database.MARIADB.connect();
    }
}
