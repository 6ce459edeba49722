package dev.doyen.stores.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

/** Runs the store contract with MySQL's driver on MariaDB, because Debian has no package of MySQL. */
class MysqlDriverContractTest extends JdbcStoreContract {

    @Override
    String name() {
        return "mysql (Connector/J) on mariadb " + Database.MARIADB.version();
    }

    @Override
    JdbcLeaseStore openStore() {
        return openPatiently(
                MariadbServer.url("mysql", Database.Servers.mariadb().port()));
    }

    @Override
    Connection connect() throws SQLException {
        return Database.MARIADB.connect();
    }
}
