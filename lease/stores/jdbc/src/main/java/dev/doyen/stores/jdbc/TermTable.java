package dev.doyen.stores.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * The statements on the fence table. The table has one row per resource, which contains the highest admitted term.
 *
 * <p>The admission of a term locks the row of the resource until the transaction ends. So the transactions for one
 * resource run one after the other.
 */
abstract class TermTable {

    /** The maximum number of attempts while other transactions create or change the same row. */
    private static final int TRIES = 10;

    final Dialect dialect;
    final String table;

    TermTable(Dialect dialect, String table) {
        this.dialect = dialect;
        this.table = table;
    }

    /**
     * Admits {@code term} unless a higher term was admitted before.
     *
     * @return the highest term so far, including {@code term}. The result is higher than {@code term} only if
     *     {@code term} is rejected
     */
    abstract long admit(Connection connection, String resource, long term) throws SQLException;

    /** Checks that the table exists and has the expected columns. */
    void probe(Connection connection) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement("SELECT resource, term FROM " + table + " WHERE 1 = 0")) {
            statement.executeQuery().close();
        }
    }

    /** Returns the stored term, or -1 if the row does not exist. */
    final long seen(Connection connection, String resource, String lock) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement("SELECT term FROM " + table + " WHERE resource = ?" + lock)) {
            dialect.setName(statement, 1, resource);
            try (ResultSet row = statement.executeQuery()) {
                return row.next() ? row.getLong(1) : -1;
            }
        }
    }

    /** The statements of PostgreSQL and SQLite: one upsert. The upsert changes no row if the stored term is higher. */
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

    /**
     * The statements of MariaDB and MySQL: an upsert, then a read. The upsert stores the greater term. The read runs
     * under the row's lock.
     *
     * <p>The row count of the upsert does not show whether the term was admitted.
     */
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

    /**
     * The statements of H2: an update, or an insert if the row is missing. Both are repeated if another transaction
     * inserted the row between them.
     *
     * <p>In H2 a failed insert does not abort the transaction, so the repetition runs in the same transaction.
     */
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
                    throw new SQLException(
                            "the row of \"" + resource + "\" changed " + TRIES + " times during this write");
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
