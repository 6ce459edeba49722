package dev.doyen.stores.jdbc;

import dev.doyen.store.StoreUnavailableException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;
import java.util.Properties;
import java.util.Set;

/**
 * The common dialect of MariaDB and MySQL.
 *
 * <p>Names are stored as UTF-8 bytes, because the collation that compares exactly has a different name in each
 * database.
 */
final class Mysql extends Dialect {

    private static final int DUPLICATE = 1062;
    private static final int LOCK_WAIT_TIMEOUT = 1205;
    private static final int DEADLOCK = 1213;

    /**
     * The codes for a missing right to a database (1044), a table (1142), a column (1143) or an operation (1227), for a
     * rejected login (1045) and for a missing table (1146).
     */
    private static final Set<Integer> MISSING_RIGHTS = Set.of(1044, 1045, 1142, 1143, 1146, 1227);

    private final String product;

    Mysql(String product) {
        this.product = product;
    }

    @Override
    String product() {
        return product;
    }

    @Override
    String urlPrefix() {
        return "jdbc:" + product.toLowerCase(Locale.ROOT) + ":";
    }

    @Override
    String driver() {
        return product.equals("MariaDB")
                ? "org.mariadb.jdbc:mariadb-java-client"
                : "com.mysql:mysql-connector-j (or write jdbc:mariadb: and add org.mariadb.jdbc:mariadb-java-client)";
    }

    @Override
    String leaseTable(String table) {
        return "CREATE TABLE IF NOT EXISTS " + table + " (name VARBINARY(765) PRIMARY KEY, revision BIGINT NOT NULL,"
                + " record MEDIUMTEXT CHARACTER SET utf8mb4 NOT NULL) ENGINE = InnoDB";
    }

    @Override
    String fenceTable(String table) {
        return "CREATE TABLE IF NOT EXISTS " + table
                + " (resource VARBINARY(765) PRIMARY KEY, term BIGINT NOT NULL) ENGINE = InnoDB";
    }

    @Override
    LeaseTable leases(JdbcSettings settings) {
        return new MysqlLeaseTable(this, settings);
    }

    @Override
    TermTable terms(String table) {
        return new TermTable.Raising(this, table);
    }

    @Override
    void configureDriver(JdbcUrl url, JdbcSettings settings, Properties properties) {
        properties.putIfAbsent(
                "connectTimeout", Long.toString(settings.timeout().toMillis()));
        // This timeout is longer than the store's own timeout, so the store's own timeout applies first.
        properties.putIfAbsent("socketTimeout", Long.toString(settings.timeout().toMillis() + 1000));
        properties.putIfAbsent("tcpKeepAlive", "true");
    }

    @Override
    void prepare(Connection connection) throws SQLException {
        connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
    }

    @Override
    Findings examine(Connection connection, JdbcSettings settings) throws SQLException {
        var findings = new Findings("every process that reaches this " + product + " server");
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT @@innodb_flush_log_at_trx_commit, @@log_bin,"
                        + " @@sync_binlog, @@innodb_doublewrite, @@read_only")) {
            row.next();
            if (!isOff(text(row.getString(5)))) {
                throw new StoreUnavailableException("this " + product
                        + " server is read_only, as replicas are; name the primary, or set read_only = 0 if"
                        + " this is the primary");
            }
            String flush = text(row.getString(1));
            if (!flush.equals("1")) {
                findings.notDurable("innodb_flush_log_at_trx_commit is " + flush
                        + ": a crash of the " + (flush.equals("2") ? "machine" : "server")
                        + " loses about the last second of terms; set innodb_flush_log_at_trx_commit = 1");
            }
            String syncBinlog = text(row.getString(3));
            if (!isOff(text(row.getString(2))) && !syncBinlog.equals("1")) {
                findings.notDurable("sync_binlog is " + syncBinlog + " with the binary log on: after a crash of the"
                        + " machine a commit that the binary log has lost is rolled back; set sync_binlog = 1");
            }
            if (isOff(text(row.getString(4)))) {
                findings.notDurable("innodb_doublewrite is off: a crash of the machine may leave a torn page in the"
                        + " lease table; set innodb_doublewrite = 1");
            }
        }
        int dot = settings.table().indexOf('.');
        String engine = query(
                connection,
                "SELECT engine FROM information_schema.tables WHERE table_name = '"
                        + settings.table().substring(dot + 1) + "' AND table_schema = "
                        + (dot < 0 ? "DATABASE()" : "'" + settings.table().substring(0, dot) + "'"));
        if (!engine.isEmpty() && !engine.equalsIgnoreCase("InnoDB")) {
            findings.notDurable("the table " + settings.table() + " uses the engine " + engine
                    + ", which can lose data in a crash; run ALTER TABLE " + settings.table()
                    + " ENGINE = InnoDB");
        }
        return findings;
    }

    @Override
    boolean isDuplicate(SQLException fault) {
        return fault.getErrorCode() == DUPLICATE;
    }

    @Override
    boolean didNothing(SQLException fault) {
        return fault.getErrorCode() == DEADLOCK
                || fault.getErrorCode() == LOCK_WAIT_TIMEOUT
                || inClass(fault, "22", "23");
    }

    @Override
    boolean isMissingRight(SQLException fault) {
        return MISSING_RIGHTS.contains(fault.getErrorCode());
    }

    @Override
    void setName(PreparedStatement statement, int index, String name) throws SQLException {
        statement.setBytes(index, name.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    String name(ResultSet row, int column) throws SQLException {
        byte[] bytes = row.getBytes(column);
        return bytes == null ? "" : new String(bytes, StandardCharsets.UTF_8);
    }

    private static boolean isOff(String value) {
        return value.equals("0") || value.equalsIgnoreCase("OFF") || value.equalsIgnoreCase("false");
    }
}
