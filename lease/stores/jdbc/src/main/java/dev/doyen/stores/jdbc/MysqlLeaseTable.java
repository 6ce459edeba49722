package dev.doyen.stores.jdbc;

import dev.doyen.store.LeaseRecordText;
import dev.doyen.store.LeaseStore;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * The statements of MariaDB and MySQL.
 *
 * <p>To write many records, one statement creates rows and a second statement changes rows. A third statement then
 * reads the rows before the commit, while the transaction still holds the locks on the rows. The row counts of the
 * first two statements do not show which writes succeeded, because the meaning of these counts depends on the driver
 * and its settings.
 */
final class MysqlLeaseTable extends LeaseTable {

    MysqlLeaseTable(Dialect dialect, JdbcSettings settings) {
        super(dialect, settings, "");
    }

    @Override
    boolean[] writeAll(Connection connection, List<LeaseStore.Write> writes) throws SQLException {
        // Order the writes by name, so that two transactions over the same rows seldom deadlock.
        List<LeaseStore.Write> inOrder = writes.stream()
                .sorted(Comparator.comparing(write -> write.next().election()))
                .toList();
        List<LeaseStore.Write> creations =
                inOrder.stream().filter(write -> write.expected().isAbsent()).toList();
        List<LeaseStore.Write> changes =
                inOrder.stream().filter(write -> !write.expected().isAbsent()).toList();
        return inTransaction(connection, () -> {
            if (!creations.isEmpty()) {
                create(connection, creations);
            }
            if (!changes.isEmpty()) {
                change(connection, changes);
            }
            return look(connection, writes);
        });
    }

    private void create(Connection connection, List<LeaseStore.Write> creations) throws SQLException {
        String values = String.join(", ", Collections.nCopies(creations.size(), "(?, 1, ?)"));
        // The statement leaves an existing row unchanged. INSERT IGNORE would ignore other errors too.
        String sql = "INSERT INTO " + table + " (name, revision, record) VALUES " + values
                + " ON DUPLICATE KEY UPDATE revision = revision";
        try (PreparedStatement statement = prepare(connection, sql)) {
            int index = 1;
            for (LeaseStore.Write write : creations) {
                dialect.setName(statement, index++, write.next().election());
                statement.setString(index++, LeaseRecordText.write(write.next()));
            }
            statement.executeUpdate();
        }
    }

    private void change(Connection connection, List<LeaseStore.Write> changes) throws SQLException {
        String cases = String.join(" ", Collections.nCopies(changes.size(), "WHEN ? THEN ?"));
        String names = String.join(", ", Collections.nCopies(changes.size(), "?"));
        String sql = "UPDATE " + table + " SET record = CASE name " + cases + " ELSE record END,"
                + " revision = revision + 1"
                + " WHERE name IN (" + names + ") AND revision = CASE name " + cases + " ELSE 0 END";
        try (PreparedStatement statement = prepare(connection, sql)) {
            int index = 1;
            for (LeaseStore.Write write : changes) {
                dialect.setName(statement, index++, write.next().election());
                statement.setString(index++, LeaseRecordText.write(write.next()));
            }
            for (LeaseStore.Write write : changes) {
                dialect.setName(statement, index++, write.next().election());
            }
            for (LeaseStore.Write write : changes) {
                dialect.setName(statement, index++, write.next().election());
                statement.setLong(index++, revision(write.expected()));
            }
            statement.executeUpdate();
        }
    }

    /**
     * Reads the rows again, and returns which writes succeeded.
     *
     * <p>A write succeeded if its row has the next revision and the written text. The text identifies the write,
     * because each write has its own nonce.
     */
    private boolean[] look(Connection connection, List<LeaseStore.Write> writes) throws SQLException {
        List<String> names = new ArrayList<>();
        writes.forEach(write -> names.add(write.next().election()));
        Map<String, Row> rows = rows(connection, names);
        var written = new boolean[writes.size()];
        for (int i = 0; i < written.length; i++) {
            Row row = rows.get(names.get(i));
            written[i] = row != null
                    && row.revision() == revision(writes.get(i).expected()) + 1
                    && row.text().equals(LeaseRecordText.write(writes.get(i).next()));
        }
        return written;
    }
}
