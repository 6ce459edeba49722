package dev.doyen.stores.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * One kind of database: its tables, its settings, its errors.
 *
 * <p>Threads: has no state.
 */
abstract sealed class Dialect permits Postgres, Mysql, Sqlite, H2 {

    /** As the driver's metadata names it. */
    abstract String product();

    abstract String urlPrefix();

    /** What to put on the class path if there is no driver. */
    abstract String driver();

    String parameterStart() {
        return "?";
    }

    String parameterSeparator() {
        return "&";
    }

    /** The statement that creates a lease table. */
    abstract String leaseTable(String table);

    /** The statement that creates a fence table. */
    abstract String fenceTable(String table);

    abstract LeaseTable leases(JdbcSettings settings);

    abstract TermTable terms(String table);

    /** How many connections are of use. */
    int connections(int most) {
        return most;
    }

    /** The URL for the driver; throws {@link IllegalArgumentException} for one that cannot work. */
    String driverUrl(JdbcUrl url) {
        return url.driverUrl();
    }

    /** Adds what the driver must be told, and the URL does not say: above all, not to wait for ever. */
    abstract void tellDriver(JdbcUrl url, JdbcSettings settings, Properties properties);

    /** Prepares a connection that this store has opened itself. */
    void prepare(Connection connection) throws SQLException {}

    /** Names the server behind the connection, if that can be had: it must not become another one. Empty if not. */
    String fingerprint(Connection connection) throws SQLException {
        return "";
    }

    /**
     * What the server promises, and what it does not. Throws {@link dev.doyen.store.StoreUnavailableException} if
     * leases must not be kept there.
     */
    abstract Findings examine(Connection connection, JdbcSettings settings) throws SQLException;

    /** Makes what was committed survive the end of the machine too, where {@link Findings#mustForce} says so. */
    void force(Connection connection) throws SQLException {}

    /** There is such a row already. */
    abstract boolean isDuplicate(SQLException fault);

    /** The server has said that it did nothing, so that the same may be tried again. */
    abstract boolean didNothing(SQLException fault);

    void begin(Connection connection) throws SQLException {
        connection.setAutoCommit(false);
    }

    void commit(Connection connection) throws SQLException {
        connection.commit();
        connection.setAutoCommit(true);
    }

    void rollback(Connection connection) throws SQLException {
        connection.rollback();
        connection.setAutoCommit(true);
    }

    /** Names are compared exactly, to the byte: neither case nor accents nor trailing spaces are alike. */
    void setName(PreparedStatement statement, int index, String name) throws SQLException {
        statement.setString(index, name);
    }

    String name(ResultSet row, int column) throws SQLException {
        return text(row.getString(column));
    }

    static String text(@Nullable String value) {
        return value == null ? "" : value;
    }

    static boolean inClass(SQLException fault, String... classes) {
        String state = text(fault.getSQLState());
        for (String each : classes) {
            if (state.startsWith(each)) {
                return true;
            }
        }
        return false;
    }

    static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** The first column of the first row, or an empty text. */
    static String ask(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            return rows.next() ? text(rows.getString(1)) : "";
        }
    }
}
