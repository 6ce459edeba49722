package dev.doyen.stores.jdbc;

import dev.doyen.store.StoreRefusedException;
import dev.doyen.store.StoreUnavailableException;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Ensures that a table exists, or reports the statement that creates it. */
final class TableCreation {

    /**
     * The maximum number of attempts to create the table. If several processes create the table at once, some of
     * their statements fail.
     */
    private static final int TRIES = 3;

    private TableCreation() {}

    /** Reads from the table, and fails if the table is missing or has other columns. */
    interface Probe {
        void of(Connection connection) throws SQLException;
    }

    static void ensure(
            Connection connection,
            String table,
            boolean create,
            String ddl,
            Probe probe,
            Dialect dialect,
            DriverFaults faults) {
        SQLException missing = tried(connection, probe);
        SQLException refused = missing;
        for (int tries = 0; missing != null && create && tries < TRIES; tries++) {
            refused = tried(connection, each -> Dialect.execute(each, ddl));
            missing = tried(connection, probe);
        }
        if (missing != null) {
            SQLException reason = create && refused != null ? refused : missing;
            String sentence = "the table " + table + " cannot be used (" + faults.describe(reason) + ")";
            String remedy = "let this user read and write it, or create it: " + ddl;
            throw dialect.refuses(reason)
                    ? new StoreRefusedException(sentence, remedy, null)
                    : new StoreUnavailableException(sentence + "; " + remedy);
        }
    }

    private static @Nullable SQLException tried(Connection connection, Probe probe) {
        try {
            probe.of(connection);
            return null;
        } catch (SQLException e) {
            return e;
        }
    }
}
