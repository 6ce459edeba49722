package dev.doyen.stores.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * The statements on the fence table: a row per resource with the highest term that was admitted. A term that is
 * admitted holds its row until the transaction ends, so that writers of different terms come one after the other.
 */
abstract class TermTable {

    /** Statements tried at most this often when another transaction creates the same row. */
    private static final int TRIES = 10;

    final Dialect dialect;
    final String table;

    TermTable(Dialect dialect, String table) {
        this.dialect = dialect;
        this.table = table;
    }

    /** The highest term seen, this one included: higher than {@code term} if, and only if, {@code term} is refused. */
    abstract long admit(Connection connection, String resource, long term) throws SQLException;

    /** Whether the table is there, as it must be. */
    void probe(Connection connection) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement("SELECT resource, term FROM " + table + " WHERE 1 = 0")) {
            statement.executeQuery().close();
        }
    }

    /** -1 if there is no row. */
    final long seen(Connection connection, String resource, String lock) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement("SELECT term FROM " + table + " WHERE resource = ?" + lock)) {
            dialect.setName(statement, 1, resource);
            try (ResultSet row = statement.executeQuery()) {
                return row.next() ? row.getLong(1) : -1;
            }
        }
    }

    /** One statement that changes nothing if the row has a higher term, and says so. */
    static final class Upserting extends TermTable {
        Upserting(Dialect dialect, String table) {
            super(dialect, table);
        }

        @Override
        long admit(Connection connection, String resource, long term) throws SQLException {
            try (PreparedStatement statement = connection.prepareStatement("INSERT INTO " + table
                    + " (resource, term) VALUES (?, ?) ON CONFLICT (resource) DO UPDATE SET term = excluded.term"
                    + " WHERE " + table + ".term <= excluded.term")) {
                dialect.setName(statement, 1, resource);
                statement.setLong(2, term);
                return statement.executeUpdate() == 1 ? term : seen(connection, resource, "");
            }
        }
    }

    /** MariaDB and MySQL: their row counts do not tell, so the row is raised if need be, and looked at under its lock. */
    static final class Raising extends TermTable {
        Raising(Dialect dialect, String table) {
            super(dialect, table);
        }

        @Override
        long admit(Connection connection, String resource, long term) throws SQLException {
            try (PreparedStatement statement = connection.prepareStatement("INSERT INTO " + table
                    + " (resource, term) VALUES (?, ?) ON DUPLICATE KEY UPDATE term = GREATEST(term, ?)")) {
                dialect.setName(statement, 1, resource);
                statement.setLong(2, term);
                statement.setLong(3, term);
                statement.executeUpdate();
            }
            return seen(connection, resource, " FOR UPDATE");
        }
    }

    /** H2: an update, or else an insert, until one of them finds what it needs; a failed insert spoils nothing there. */
    static final class Trying extends TermTable {
        Trying(Dialect dialect, String table) {
            super(dialect, table);
        }

        @Override
        long admit(Connection connection, String resource, long term) throws SQLException {
            for (int tries = 1; ; tries++) {
                if (update(connection, resource, term)) {
                    return term;
                }
                long seen = seen(connection, resource, "");
                if (seen > term) {
                    return seen;
                }
                try {
                    if (seen < 0) {
                        insert(connection, resource, term);
                        return term;
                    }
                } catch (SQLException e) {
                    if (!dialect.isDuplicate(e) || tries == TRIES) {
                        throw e;
                    }
                }
                if (tries == TRIES) {
                    throw new SQLException("the row of \"" + resource + "\" changed " + TRIES + " times meanwhile");
                }
            }
        }

        private boolean update(Connection connection, String resource, long term) throws SQLException {
            try (PreparedStatement statement =
                    connection.prepareStatement("UPDATE " + table + " SET term = ? WHERE resource = ? AND term <= ?")) {
                statement.setLong(1, term);
                dialect.setName(statement, 2, resource);
                statement.setLong(3, term);
                return statement.executeUpdate() == 1;
            }
        }

        private void insert(Connection connection, String resource, long term) throws SQLException {
            try (PreparedStatement statement =
                    connection.prepareStatement("INSERT INTO " + table + " (resource, term) VALUES (?, ?)")) {
                dialect.setName(statement, 1, resource);
                statement.setLong(2, term);
                statement.executeUpdate();
            }
        }
    }
}
