package dev.doyen.stores.jdbc;

import dev.doyen.store.LeaseRecordText;
import dev.doyen.store.LeaseWrite;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * MariaDB's and MySQL's way to write many: all creations in one statement, all changes in another, and then, before the
 * commit and under its locks, a look at what stands there. Their row counts say too little: what counts depends on the
 * driver and its settings.
 */
final class MysqlLeaseTable extends LeaseTable {

    MysqlLeaseTable(Dialect dialect, JdbcSettings settings) {
        super(dialect, settings, "");
    }

    @Override
    boolean[] writeAll(Connection connection, List<LeaseWrite> writes) throws SQLException {
        // In the order of the names, so that two that write the same rows seldom wait for each other in a circle.
        List<LeaseWrite> inOrder = writes.stream()
                .sorted(Comparator.comparing(write -> write.next().election()))
                .toList();
        List<LeaseWrite> creations =
                inOrder.stream().filter(write -> write.expected().isAbsent()).toList();
        List<LeaseWrite> changes =
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

    private void create(Connection connection, List<LeaseWrite> creations) throws SQLException {
        String values = String.join(", ", Collections.nCopies(creations.size(), "(?, 1, ?)"));
        // A row that exists is set to what it is. INSERT IGNORE would ignore more than that.
        String sql = "INSERT INTO " + table + " (name, revision, record) VALUES " + values
                + " ON DUPLICATE KEY UPDATE revision = revision";
        try (PreparedStatement statement = prepare(connection, sql)) {
            int index = 1;
            for (LeaseWrite write : creations) {
                dialect.setName(statement, index++, write.next().election());
                statement.setString(index++, LeaseRecordText.write(write.next()));
            }
            statement.executeUpdate();
        }
    }

    private void change(Connection connection, List<LeaseWrite> changes) throws SQLException {
        String cases = String.join(" ", Collections.nCopies(changes.size(), "WHEN ? THEN ?"));
        String names = String.join(", ", Collections.nCopies(changes.size(), "?"));
        String sql = "UPDATE " + table + " SET record = CASE name " + cases + " ELSE record END,"
                + " revision = revision + 1"
                + " WHERE name IN (" + names + ") AND revision = CASE name " + cases + " ELSE 0 END";
        try (PreparedStatement statement = prepare(connection, sql)) {
            int index = 1;
            for (LeaseWrite write : changes) {
                dialect.setName(statement, index++, write.next().election());
                statement.setString(index++, LeaseRecordText.write(write.next()));
            }
            for (LeaseWrite write : changes) {
                dialect.setName(statement, index++, write.next().election());
            }
            for (LeaseWrite write : changes) {
                dialect.setName(statement, index++, write.next().election());
                statement.setLong(index++, revision(write.expected()));
            }
            statement.executeUpdate();
        }
    }

    /** What this transaction wrote, it sees under the revision that it wrote; no two writes have the same nonce. */
    private boolean[] look(Connection connection, List<LeaseWrite> writes) throws SQLException {
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
