package dev.doyen.stores.jdbc;

import dev.doyen.store.StoreUnavailableException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;
import java.util.Properties;

/** The dialect of SQLite from version 3.24 on. The processes of one machine share the database file. */
final class Sqlite extends Dialect {

    private static final int PERM = 3;
    private static final int BUSY = 5;
    private static final int LOCKED = 6;
    private static final int READONLY = 8;
    private static final int CONSTRAINT = 19;
    private static final int AUTH = 23;

    @Override
    String product() {
        return "SQLite";
    }

    @Override
    String urlPrefix() {
        return "jdbc:sqlite:";
    }

    @Override
    String driver() {
        return "org.xerial:sqlite-jdbc";
    }

    @Override
    String leaseTable(String table) {
        return "CREATE TABLE IF NOT EXISTS " + table
                + " (name TEXT NOT NULL PRIMARY KEY, revision INTEGER NOT NULL, record TEXT NOT NULL)";
    }

    @Override
    String fenceTable(String table) {
        return "CREATE TABLE IF NOT EXISTS " + table + " (resource TEXT NOT NULL PRIMARY KEY, term INTEGER NOT NULL)";
    }

    @Override
    LeaseTable leases(JdbcSettings settings) {
        return new LeaseTable(this, settings, "ON CONFLICT (name) DO NOTHING");
    }

    @Override
    TermTable terms(String table) {
        return new TermTable.Upserting(this, table);
    }

    /**
     * Returns 1, because SQLite allows only one writer at a time. With one connection, the calls wait in a FIFO queue
     * in Java. SQLite would not serve waiting connections in order.
     */
    @Override
    int connections(int most) {
        return 1;
    }

    @Override
    void configureDriver(JdbcUrl url, JdbcSettings settings, Properties properties) {
        // The value EXTRA also syncs the directory. Otherwise a rollback journal can reappear after a crash and undo
        // the last commit.
        putUnlessSet(url, properties, "synchronous", "EXTRA");
        putUnlessSet(url, properties, "journal_mode", "WAL");
        putUnlessSet(
                url,
                properties,
                "busy_timeout",
                Long.toString(settings.timeout().toMillis() / 2));
    }

    @Override
    Findings examine(Connection connection, JdbcSettings settings) throws SQLException {
        refuseMemory(connection);
        var findings = new Findings("one machine");
        String journal = query(connection, "PRAGMA journal_mode").toLowerCase(Locale.ROOT);
        int synchronous = Integer.parseInt(query(connection, "PRAGMA synchronous"));
        if (journal.equals("memory") || journal.equals("off")) {
            findings.notDurable("journal_mode is " + journal
                    + ": a crash in the middle of a write may destroy the database; set journal_mode=WAL in the URL");
        }
        if (synchronous < 2) {
            findings.notDurable("synchronous is " + (synchronous == 0 ? "OFF" : "NORMAL")
                    + ": a loss of power may lose the latest confirmed terms; set synchronous=EXTRA in the URL");
        } else if (synchronous == 2 && !journal.equals("wal")) {
            findings.notDurable("synchronous is FULL with journal_mode " + journal
                    + ": a loss of power just after a commit may undo it; set synchronous=EXTRA in the URL");
        }
        return findings;
    }

    @Override
    boolean isDuplicate(SQLException fault) {
        return fault.getErrorCode() == CONSTRAINT;
    }

    @Override
    boolean didNothing(SQLException fault) {
        return fault.getErrorCode() == BUSY || fault.getErrorCode() == LOCKED || fault.getErrorCode() == CONSTRAINT;
    }

    /** Returns true if this user may not write the file. SQLite reports no SQLSTATE. */
    @Override
    boolean isMissingRight(SQLException fault) {
        return fault.getErrorCode() == PERM || fault.getErrorCode() == READONLY || fault.getErrorCode() == AUTH;
    }

    /**
     * Begins a transaction that holds the write lock from the start.
     *
     * <p>Without this lock, a transaction that reads first and then writes could fail. Its write fails with
     * BUSY_SNAPSHOT if another transaction has written after the read.
     */
    @Override
    void begin(Connection connection) throws SQLException {
        execute(connection, "BEGIN IMMEDIATE");
    }

    /**
     * Commits the transaction. If the commit fails, the method rolls the transaction back, unless the caller does so.
     *
     * <p>Otherwise an application's pool could lend the connection with an open transaction. The connection is in
     * auto-commit mode even then, because JDBC did not begin the transaction.
     */
    @Override
    void commit(Connection connection) throws SQLException {
        try {
            execute(connection, "COMMIT");
        } catch (SQLException e) {
            if (!didNothing(e)) {
                rollbackAfter(e, connection);
            }
            throw e;
        }
    }

    /** Rolls the transaction back. If the rollback fails, the method aborts the connection. */
    @Override
    void rollback(Connection connection) throws SQLException {
        try {
            execute(connection, "ROLLBACK");
        } catch (SQLException e) {
            Connections.abortQuietly(connection);
            throw e;
        }
    }

    private void rollbackAfter(SQLException failedCommit, Connection connection) {
        try {
            rollback(connection);
        } catch (SQLException e) {
            failedCommit.addSuppressed(e);
        }
    }

    private static void putUnlessSet(JdbcUrl url, Properties properties, String name, String value) {
        if (!url.hasParameter(name)) {
            properties.putIfAbsent(name, value);
        }
    }

    private static void refuseMemory(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("PRAGMA database_list")) {
            if (row.next() && text(row.getString("file")).isEmpty()) {
                throw new StoreUnavailableException("this SQLite database is in memory, and each connection has one of"
                        + " its own; name a file, such as jdbc:sqlite:/var/lib/doyen/leases.db, or use memory:");
            }
        }
    }
}
