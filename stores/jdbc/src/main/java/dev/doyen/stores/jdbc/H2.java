package dev.doyen.stores.jdbc;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Properties;

/**
 * H2, from 2.0 on, embedded or as a server.
 *
 * <p>H2 answers a commit before anything is on the disk: by default it writes up to half a second later, and even with
 * {@code WRITE_DELAY 0} it leaves forcing to the operating system. So each write is followed by {@code CHECKPOINT SYNC}.
 * Names are kept as their UTF-8 bytes: a database may have been given a collation that ignores case.
 */
final class H2 extends Dialect {

    private static final int LOCK_TIMEOUT = 50200;
    private static final int CONCURRENT_UPDATE = 90131;

    @Override
    String product() {
        return "H2";
    }

    @Override
    String urlPrefix() {
        return "jdbc:h2:";
    }

    @Override
    String driver() {
        return "com.h2database:h2";
    }

    @Override
    String parameterStart() {
        return ";";
    }

    @Override
    String parameterSeparator() {
        return ";";
    }

    @Override
    String leaseTable(String table) {
        return "CREATE TABLE IF NOT EXISTS " + table
                + " (name VARBINARY(765) PRIMARY KEY, revision BIGINT NOT NULL, record VARCHAR(1000000) NOT NULL)";
    }

    @Override
    String fenceTable(String table) {
        return "CREATE TABLE IF NOT EXISTS " + table + " (resource VARBINARY(765) PRIMARY KEY, term BIGINT NOT NULL)";
    }

    @Override
    LeaseTable leases(JdbcSettings settings) {
        return new LeaseTable(this, settings, "");
    }

    @Override
    TermTable terms(String table) {
        return new TermTable.Trying(this, table);
    }

    /** Without DB_CLOSE_DELAY a database in memory ends with its last connection, and a faulty one is thrown away. */
    @Override
    String driverUrl(JdbcUrl url) {
        return url.driverUrl().startsWith("jdbc:h2:mem:") && !url.says("DB_CLOSE_DELAY")
                ? url.driverUrl() + ";DB_CLOSE_DELAY=-1"
                : url.driverUrl();
    }

    /** H2 has no deadlines for its connections; the store's own deadline stands alone. */
    @Override
    void tellDriver(JdbcUrl url, JdbcSettings settings, Properties properties) {}

    /** Needs ADMIN rights; {@link #examine} finds out whether it could be done. */
    @Override
    void prepare(Connection connection) throws SQLException {
        if (!isInMemory(connection) && isAdmin(connection)) {
            execute(connection, "SET WRITE_DELAY 0");
        }
    }

    @Override
    Findings examine(Connection connection, JdbcSettings settings) throws SQLException {
        if (isInMemory(connection)) {
            return new Findings("one JVM, or who reaches its H2 server")
                    .notDurable("this H2 database is in memory: terms end with its JVM; name a file to keep them");
        }
        var findings = new Findings("who reaches this H2 database: one JVM if it is embedded, unless AUTO_SERVER=TRUE");
        if (isAdmin(connection)) {
            findings.forced();
        } else {
            findings.notDurable("the user has no ADMIN rights, which CHECKPOINT SYNC needs (WRITE_DELAY is "
                    + ask(
                            connection,
                            "SELECT setting_value FROM information_schema.settings WHERE setting_name = 'WRITE_DELAY'")
                    + " ms): a crash may lose the terms confirmed last; grant ADMIN to the user, or give the leases a"
                    + " database of their own");
        }
        return findings;
    }

    @Override
    void force(Connection connection) throws SQLException {
        execute(connection, "CHECKPOINT SYNC");
    }

    @Override
    boolean isDuplicate(SQLException fault) {
        return "23505".equals(fault.getSQLState());
    }

    @Override
    boolean didNothing(SQLException fault) {
        return fault.getErrorCode() == LOCK_TIMEOUT
                || fault.getErrorCode() == CONCURRENT_UPDATE
                || inClass(fault, "22", "23", "40");
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

    private static boolean isInMemory(Connection connection) throws SQLException {
        return ask(connection, "SELECT DATABASE_PATH()").isEmpty();
    }

    private static boolean isAdmin(Connection connection) throws SQLException {
        return ask(connection, "SELECT is_admin FROM information_schema.users WHERE user_name = CURRENT_USER")
                .equalsIgnoreCase("TRUE");
    }
}
