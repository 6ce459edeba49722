package dev.doyen.stores.jdbc;

import dev.doyen.store.StoreUnavailableException;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Sees that a table is there: creates it if it may, and says what to do if it cannot. */
final class TableCreation {

    /** Others may create it at the same time, and then one of the statements fails. */
    private static final int TRIES = 3;

    private TableCreation() {}

    /** Looks at the table; fails if it is not as it must be. */
    interface Probe {
        void of(Connection connection) throws SQLException;
    }

    static void ensure(
            Connection connection, String table, boolean create, String ddl, Probe probe, DriverFaults faults) {
        SQLException missing = tried(connection, probe);
        SQLException refused = missing;
        for (int tries = 0; missing != null && create && tries < TRIES; tries++) {
            refused = tried(connection, each -> Dialect.execute(each, ddl));
            missing = tried(connection, probe);
        }
        if (missing != null) {
            throw new StoreUnavailableException("the table " + table + " cannot be used ("
                    + faults.tell(create && refused != null ? refused : missing)
                    + "); let this user read and write it, or create it: " + ddl);
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
