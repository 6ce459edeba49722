package dev.doyen.stores.jdbc;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * A process that lets a fence admit terms 1 to 20 and then halts without closing anything.
 *
 * <p>Arguments: the URL of the database and the resource.
 */
final class AdmitAndHalt {

    private AdmitAndHalt() {}

    @SuppressWarnings("SystemExitOutsideMain")
    public static void main(String[] arguments) throws SQLException {
        DataSource pool = pool(arguments[0]);
        // This connection stays open. Otherwise H2 would close the database after each admission, and a close writes
        // all terms to the file.
        try (Connection open = pool.getConnection()) {
            JdbcFence fence = JdbcFence.open(pool);
            for (int term = 1; term <= 20; term++) {
                fence.admit(arguments[1], term);
            }
            System.out.println("admitted 20 terms");
            Runtime.getRuntime().halt(0);
        }
    }

    static DataSource pool(String url) {
        return TransactionalPool.of(() -> DriverManager.getConnection(url));
    }
}
