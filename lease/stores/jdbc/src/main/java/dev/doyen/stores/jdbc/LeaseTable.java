package dev.doyen.stores.jdbc;

import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseRecordText;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.UnreadableRecordException;
import dev.doyen.store.VersionedLease;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * The statements on the lease table.
 *
 * <p>The table has one row per election. A row contains the election's name, a revision and the record as text. Each
 * write raises the revision by one. This class uses statements that all databases support. Subclasses use faster
 * statements that only their database supports.
 *
 * <p>Threads: any number, each with its own connection. A method expects a connection without an open transaction. If a
 * commit or a rollback fails, the transaction can still be open afterwards. In all other cases, a method leaves no open
 * transaction.
 */
class LeaseTable {

    final Dialect dialect;
    final String table;
    private final int seconds;
    private final String insert;
    private final String update;

    /**
     * @param onConflict the SQL clause that makes an insert ignore an existing name. If the clause is empty, the insert
     *     fails instead
     */
    LeaseTable(Dialect dialect, JdbcSettings settings, String onConflict) {
        this.dialect = dialect;
        this.table = settings.table();
        this.seconds = settings.statementSeconds();
        this.insert = "INSERT INTO " + table + " (name, revision, record) VALUES (?, 1, ?) " + onConflict;
        this.update = "UPDATE " + table + " SET revision = revision + 1, record = ? WHERE name = ? AND revision = ?";
    }

    /** A row as it was read from the table. The component {@code text} is not parsed yet. */
    record Row(long revision, String text) {
        VersionedLease parse(String election) {
            try {
                LeaseRecord record = LeaseRecordText.read(text);
                if (!record.election().equals(election)) {
                    throw new IllegalArgumentException("it is the lease of \"" + record.election() + "\"");
                }
                return VersionedLease.of(LeaseVersion.of(revision), record);
            } catch (IllegalArgumentException e) {
                throw new UnreadableRecordException(
                        "the row of \"" + election + "\" is not a lease record: " + e.getMessage()
                                + "; delete it only if its term may be forgotten",
                        e);
            }
        }
    }

    /** Checks that the table exists and has the expected columns. */
    void probe(Connection connection) throws SQLException {
        try (PreparedStatement statement =
                prepare(connection, "SELECT name, revision, record FROM " + table + " WHERE 1 = 0")) {
            statement.executeQuery().close();
        }
    }

    VersionedLease read(Connection connection, String election) throws SQLException {
        Row row = rows(connection, List.of(election)).get(election);
        return row == null ? VersionedLease.ABSENT : row.parse(election);
    }

    /** Reads the existing rows of these elections with one statement. The caller limits the number of names. */
    Map<String, Row> rows(Connection connection, List<String> elections) throws SQLException {
        String marks = String.join(", ", Collections.nCopies(elections.size(), "?"));
        try (PreparedStatement statement =
                prepare(connection, "SELECT name, revision, record FROM " + table + " WHERE name IN (" + marks + ")")) {
            for (int i = 0; i < elections.size(); i++) {
                dialect.setName(statement, i + 1, elections.get(i));
            }
            return rows(statement);
        }
    }

    final Map<String, Row> rows(PreparedStatement statement) throws SQLException {
        Map<String, Row> found = new HashMap<>();
        try (ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                found.put(dialect.name(rows, 1), new Row(rows.getLong(2), Dialect.text(rows.getString(3))));
            }
        }
        return found;
    }

    /** Writes a record with one auto-committed statement, and returns true if the record was written. */
    boolean write(Connection connection, LeaseStore.Write write) throws SQLException {
        boolean creating = write.expected().isAbsent();
        try (PreparedStatement statement = prepare(connection, creating ? insert : update)) {
            return write(statement, write);
        }
    }

    /**
     * Writes all records in one transaction, one statement each, and returns which records were written.
     *
     * <p>The store uses this method for SQLite and H2, which usually run in the store's own process. There a statement
     * is fast and a commit is slow.
     */
    boolean[] writeAll(Connection connection, List<LeaseStore.Write> writes) throws SQLException {
        return inTransaction(connection, () -> {
            var written = new boolean[writes.size()];
            try (PreparedStatement inserting = prepare(connection, insert);
                    PreparedStatement updating = prepare(connection, update)) {
                for (int i : inOrderOfNames(writes)) {
                    LeaseStore.Write write = writes.get(i);
                    written[i] = write(write.expected().isAbsent() ? inserting : updating, write);
                }
            }
            return written;
        });
    }

    /** Returns the indexes of the writes, ordered by name. So two transactions over the same rows do not deadlock. */
    private static List<Integer> inOrderOfNames(List<LeaseStore.Write> writes) {
        return IntStream.range(0, writes.size())
                .boxed()
                .sorted(Comparator.comparing(i -> writes.get(i).next().election()))
                .toList();
    }

    private boolean write(PreparedStatement statement, LeaseStore.Write write) throws SQLException {
        String name = write.next().election();
        String text = LeaseRecordText.write(write.next());
        if (write.expected().isAbsent()) {
            dialect.setName(statement, 1, name);
            statement.setString(2, text);
            try {
                return statement.executeUpdate() == 1;
            } catch (SQLException e) {
                if (dialect.isDuplicate(e)) {
                    return false;
                }
                throw e;
            }
        }
        statement.setString(1, text);
        dialect.setName(statement, 2, name);
        statement.setLong(3, revision(write.expected()));
        return statement.executeUpdate() == 1;
    }

    /** Statements that run within one transaction. */
    interface Statements {
        boolean[] run() throws SQLException;
    }

    /** Thrown if a transaction failed and was rolled back. Nothing was written. */
    static final class RolledBack extends SQLException {
        private static final long serialVersionUID = 1L;

        RolledBack(SQLException fault) {
            super(fault.getMessage(), fault.getSQLState(), fault.getErrorCode(), fault);
        }
    }

    /**
     * Runs {@code statements} in a transaction and commits it.
     *
     * @throws RolledBack if the statements fail; nothing was written in this case
     */
    final boolean[] inTransaction(Connection connection, Statements statements) throws SQLException {
        dialect.begin(connection);
        boolean[] written;
        try {
            written = statements.run();
        } catch (SQLException e) {
            dialect.rollback(connection);
            throw new RolledBack(e);
        }
        try {
            dialect.commit(connection);
        } catch (SQLException e) {
            if (dialect.didNothing(e)) {
                dialect.rollback(connection);
            }
            throw e;
        }
        return written;
    }

    final PreparedStatement prepare(Connection connection, String sql) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        try {
            statement.setQueryTimeout(seconds);
            return statement;
        } catch (SQLException e) {
            statement.close();
            throw e;
        }
    }

    /** Returns the expected revision, or 0 if the record is expected to be absent. Revisions start at 1. */
    static long revision(LeaseVersion version) {
        if (version.isAbsent()) {
            return 0;
        }
        try {
            return Long.parseLong(version.value());
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "\"" + version.value() + "\" is not a version of this store; its versions are whole numbers", e);
        }
    }
}
