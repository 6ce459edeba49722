package dev.doyen.stores.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The tables, settings and errors of one database product.
 *
 * <p>Threads: any, because the class has no state.
 */
abstract sealed class Dialect permits Postgres, Mysql, Sqlite, H2 {

    static final String INVALID_AUTHORIZATION = "28";

    /** Returns the product name in the driver's metadata. */
    abstract String product();

    abstract String urlPrefix();

    /** Returns the Maven coordinates of the driver, for the error message about a missing driver. */
    abstract String driver();

    String parameterStart() {
        return "?";
    }

    String parameterSeparator() {
        return "&";
    }

    /** Returns the statement that creates a lease table. */
    abstract String leaseTable(String table);

    /** Returns the statement that creates a fence table. */
    abstract String fenceTable(String table);

    abstract LeaseTable leases(JdbcSettings settings);

    abstract TermTable terms(String table);

    /** Returns how many connections the store should use for this database. */
    int connections(int most) {
        return most;
    }

    /**
     * Returns the URL for the driver.
     *
     * @throws IllegalArgumentException if the store cannot work with this URL
     */
    String driverUrl(JdbcUrl url) {
        return url.driverUrl();
    }

    /**
     * Adds default values for driver properties, mainly timeouts. {@link Opening} then removes each added property that
     * the URL sets.
     */
    abstract void configureDriver(JdbcUrl url, JdbcSettings settings, Properties properties);

    /** Prepares a connection that the store has opened itself. */
    void prepare(Connection connection) throws SQLException {}

    /**
     * Returns an identifier of the server. With it, the store detects a connection to a different server.
     *
     * <p>The result is empty if the database has no such identifier.
     */
    String fingerprint(Connection connection) throws SQLException {
        return "";
    }

    /**
     * Examines the server's settings, and returns the problems that they cause for leases.
     *
     * @throws dev.doyen.store.StoreUnavailableException if leases must not be stored on this server
     */
    abstract Findings examine(Connection connection, JdbcSettings settings) throws SQLException;

    /** Returns true if {@link #force} must follow each commit, because a commit alone does not survive a crash. */
    boolean mustForce(Connection connection) throws SQLException {
        return false;
    }

    /** Syncs committed writes to the disk, so that they survive a crash of the machine. */
    void force(Connection connection) throws SQLException {}

    /** Returns true if the fault reports that the row exists already. */
    abstract boolean isDuplicate(SQLException fault);

    /** Returns true if the server reports that it changed nothing. A retry is then safe. */
    abstract boolean didNothing(SQLException fault);

    /**
     * Returns true if the database rejects such statements, because a right, a table or the login is missing.
     *
     * <p>The method also checks the causes, because a pool wraps the exception of the driver.
     */
    final boolean refuses(SQLException fault) {
        return anyFault(fault, each -> inClass(each, INVALID_AUTHORIZATION) || isMissingRight(each));
    }

    /**
     * Returns true if this exception itself reports a missing right, or a missing table or column. {@link #refuses}
     * handles the SQLSTATE class 28 (invalid authorization) of all databases.
     *
     * <p>An implementation lists each code, because class 42 also contains errors that only this store or a proxy can
     * cause, such as a syntax error or an existing prepared statement.
     */
    abstract boolean isMissingRight(SQLException fault);

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

    /**
     * Sets a parameter to a name that the database compares byte by byte.
     *
     * <p>Names that differ in case, in accents or in trailing spaces are different names.
     */
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

    /** Returns true if the fault or one of its causes has an SQLSTATE of these classes. A pool wraps the faults. */
    static boolean isInClass(Throwable fault, String... classes) {
        return anyFault(fault, each -> inClass(each, classes));
    }

    /** Returns true if the test is true for the fault or for one of its causes. */
    private static boolean anyFault(Throwable fault, Predicate<SQLException> test) {
        for (Throwable each = fault; each != null; each = each.getCause()) {
            if (each instanceof SQLException sql && test.test(sql)) {
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

    /** Runs a query. Returns the first column of the first row, or an empty text. */
    static String query(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            return rows.next() ? text(rows.getString(1)) : "";
        }
    }
}
