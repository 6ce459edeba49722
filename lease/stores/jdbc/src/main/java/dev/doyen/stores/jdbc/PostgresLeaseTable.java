package dev.doyen.stores.jdbc;

import dev.doyen.store.LeaseRecordText;
import dev.doyen.store.LeaseStore;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** The statements of PostgreSQL. Each write also sends a notification, and one statement writes many records. */
final class PostgresLeaseTable extends LeaseTable {

    private final String select;
    private final String insert;
    private final String update;
    private final String writeMany;

    PostgresLeaseTable(Dialect dialect, JdbcSettings settings) {
        super(dialect, settings, "ON CONFLICT (name) DO NOTHING");
        String channel = channel(settings);
        this.select = "SELECT name, revision, record FROM " + table + " WHERE name = ANY (?)";
        this.insert = "WITH written AS (INSERT INTO " + table + " (name, revision, record) VALUES (?, 1, ?)"
                + " ON CONFLICT (name) DO NOTHING RETURNING name)"
                + " SELECT pg_notify('" + channel + "', name) FROM written";
        this.update = "WITH written AS (UPDATE " + table + " SET revision = revision + 1, record = ?"
                + " WHERE name = ? AND revision = ? RETURNING name)"
                + " SELECT pg_notify('" + channel + "', name) FROM written";
        // Order the writes by name, so that two transactions over the same rows seldom deadlock.
        this.writeMany = "WITH given AS (SELECT * FROM unnest(?::text[], ?::bigint[], ?::text[])"
                + " AS g (name, expected, record) ORDER BY name COLLATE \"C\"),"
                + " created AS (INSERT INTO " + table + " (name, revision, record)"
                + " SELECT name, 1, record FROM given WHERE expected = 0"
                + " ON CONFLICT (name) DO NOTHING RETURNING name),"
                + " changed AS (UPDATE " + table + " AS t SET revision = t.revision + 1, record = g.record"
                + " FROM given AS g WHERE g.expected > 0 AND t.name = g.name AND t.revision = g.expected"
                + " RETURNING t.name),"
                + " written AS (SELECT name FROM created UNION ALL SELECT name FROM changed)"
                + " SELECT name, pg_notify('" + channel + "', name) FROM written";
    }

    /**
     * Returns the name of the notification channel of this table. The payload of a notification is the election's name.
     */
    static String channel(JdbcSettings settings) {
        String table = settings.table();
        return table.substring(table.indexOf('.') + 1).toLowerCase(Locale.ROOT);
    }

    @Override
    Map<String, Row> rows(Connection connection, List<String> elections) throws SQLException {
        try (PreparedStatement statement = prepare(connection, select)) {
            Array names = connection.createArrayOf("text", elections.toArray());
            statement.setArray(1, names);
            return rows(statement);
        }
    }

    @Override
    boolean write(Connection connection, LeaseStore.Write write) throws SQLException {
        String name = write.next().election();
        String text = LeaseRecordText.write(write.next());
        boolean creating = write.expected().isAbsent();
        try (PreparedStatement statement = prepare(connection, creating ? insert : update)) {
            if (creating) {
                statement.setString(1, name);
                statement.setString(2, text);
            } else {
                statement.setString(1, text);
                statement.setString(2, name);
                statement.setLong(3, revision(write.expected()));
            }
            try (ResultSet written = statement.executeQuery()) {
                return written.next();
            }
        }
    }

    @Override
    boolean[] writeAll(Connection connection, List<LeaseStore.Write> writes) throws SQLException {
        var names = new String[writes.size()];
        var expected = new Long[writes.size()];
        var texts = new String[writes.size()];
        for (int i = 0; i < names.length; i++) {
            names[i] = writes.get(i).next().election();
            expected[i] = revision(writes.get(i).expected());
            texts[i] = LeaseRecordText.write(writes.get(i).next());
        }
        Set<String> done = new HashSet<>();
        try (PreparedStatement statement = prepare(connection, writeMany)) {
            statement.setArray(1, connection.createArrayOf("text", names));
            statement.setArray(2, connection.createArrayOf("bigint", expected));
            statement.setArray(3, connection.createArrayOf("text", texts));
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    done.add(Dialect.text(rows.getString(1)));
                }
            }
        }
        var written = new boolean[names.length];
        for (int i = 0; i < names.length; i++) {
            written[i] = done.contains(names[i]);
        }
        return written;
    }
}
