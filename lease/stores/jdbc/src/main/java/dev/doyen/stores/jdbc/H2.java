package dev.doyen.stores.jdbc;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Properties;

/**
 * The dialect of H2 from version 2.0 on, embedded or as a server.
 *
 * <p>H2 answers a commit before the data is on the disk. By default H2 writes the data up to half a second later. Even
 * with {@code WRITE_DELAY 0}, H2 leaves the sync to the operating system. So the store and the fence send {@code
 * CHECKPOINT SYNC} after each commit to a database file, if the user has ADMIN rights.
 *
 * <p>Names are stored as UTF-8 bytes, because a database can have a collation that ignores case.
 */
final class H2 extends Dialect {

    private static final int LOCK_TIMEOUT = 50200;
    private static final int CONCURRENT_UPDATE = 90131;
    private static final String ADMIN_RIGHTS_REQUIRED = "90040";
    private static final String NOT_ENOUGH_RIGHTS = "90096";
    private static final String SCHEMA_NOT_FOUND = "90079";
    private static final String COLUMN_NOT_FOUND = "42S22";

    /** The SQLSTATEs for a missing table: in general, beside a table with a similar name, and in an empty database. */
    private static final String[] TABLE_NOT_FOUND = {"42S02", "42S03", "42S04"};

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

    /**
     * Adds DB_CLOSE_DELAY to the URL, so that H2 does not delete a database in memory.
     *
     * <p>By default H2 deletes such a database when its last connection closes. The store closes a connection after
     * each fault, even if no other connection is open.
     */
    @Override
    String driverUrl(JdbcUrl url) {
        return url.driverUrl().startsWith("jdbc:h2:mem:") && !url.hasParameter("DB_CLOSE_DELAY")
                ? url.driverUrl() + ";DB_CLOSE_DELAY=-1"
                : url.driverUrl();
    }

    /**
     * Limits the wait for each answer of an H2 server.
     *
     * <p>Without this limit, the opening of a connection could wait forever, and the store cannot abort a connection
     * that is not open yet. H2 connects within 2 s by default. An embedded database has no such timeout, so only the
     * store's own deadline limits a call.
     */
    @Override
    void configureDriver(JdbcUrl url, JdbcSettings settings, Properties properties) {
        if (url.driverUrl().startsWith("jdbc:h2:tcp:") || url.driverUrl().startsWith("jdbc:h2:ssl:")) {
            // This timeout is longer than the store's own timeout, so the store's own timeout applies first.
            properties.putIfAbsent(
                    "NETWORK_TIMEOUT", Long.toString(settings.timeout().toMillis() + 1000));
        }
    }

    /**
     * Sets the write delay of a database in a file to 0, if the user has ADMIN rights. If the user has no ADMIN rights,
     * {@link #examine} adds a remark.
     */
    @Override
    void prepare(Connection connection) throws SQLException {
        if (!isInMemory(connection) && isAdmin(connection)) {
            execute(connection, "SET WRITE_DELAY 0");
        }
    }

    @Override
    Findings examine(Connection connection, JdbcSettings settings) throws SQLException {
        if (isInMemory(connection)) {
            return new Findings("one JVM, or all clients of its H2 server")
                    .notDurable("this H2 database is in memory: terms end with its JVM; name a file to keep them");
        }
        var findings =
                new Findings("all clients of this H2 database: one JVM if it is embedded, unless AUTO_SERVER=TRUE");
        if (mustForce(connection)) {
            findings.forced();
        } else {
            findings.notDurable("the user has no ADMIN rights, which CHECKPOINT SYNC needs (WRITE_DELAY is "
                    + query(
                            connection,
                            "SELECT setting_value FROM information_schema.settings WHERE setting_name = 'WRITE_DELAY'")
                    + " ms): a crash may lose the latest confirmed terms; grant ADMIN to the user, or give the leases a"
                    + " database of their own");
        }
        return findings;
    }

    @Override
    boolean mustForce(Connection connection) throws SQLException {
        return !isInMemory(connection) && isAdmin(connection);
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
    boolean isMissingRight(SQLException fault) {
        return inClass(fault, ADMIN_RIGHTS_REQUIRED, NOT_ENOUGH_RIGHTS, SCHEMA_NOT_FOUND, COLUMN_NOT_FOUND)
                || inClass(fault, TABLE_NOT_FOUND);
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
        return query(connection, "SELECT DATABASE_PATH()").isEmpty();
    }

    private static boolean isAdmin(Connection connection) throws SQLException {
        return query(connection, "SELECT is_admin FROM information_schema.users WHERE user_name = CURRENT_USER")
                .equalsIgnoreCase("TRUE");
    }
}
