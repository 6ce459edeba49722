package dev.doyen.stores.jdbc;

import dev.doyen.fence.Fence;
import dev.doyen.fence.StaleTermException;
import dev.doyen.store.StoreUnavailableException;
import dev.doyen.text.ElectionNames;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * A fence in the database that stores the guarded data.
 *
 * <p>The fence's table has one row per resource, with the highest admitted term. An application calls
 * {@link #admit(Connection, String, long)} in the transaction that writes the data. The term and the data are then
 * committed together or not at all. Another transaction that admits a term for the same resource waits until this
 * transaction has ended. After a crash of the database, the term is lost only if the data is lost too.
 *
 * <p>{@link #admit(String, long)} is for data that is stored elsewhere. If the application's rows can store a term
 * themselves, no fence table is necessary; see docs/reference/store-jdbc.md.
 *
 * <p>H2 answers a commit before the term is on the disk. So {@link #admit(String, long)} syncs an H2 file after the
 * commit, if the user has ADMIN rights. Without these rights, a crash can lose the last admitted terms.
 *
 * <p>The fence restores the auto-commit mode of each connection that it takes from the data source.
 *
 * <p>Threads: any.
 */
public final class JdbcFence implements Fence {

    public static final String DEFAULT_TABLE = "doyen_fence";

    private static final int TRIES = 10;

    private final DataSource database;
    private final TermTable terms;
    private final boolean forces;

    private JdbcFence(DataSource database, TermTable terms, boolean forces) {
        this.database = database;
        this.terms = terms;
        this.forces = forces;
    }

    /**
     * Opens the fence in the table {@value #DEFAULT_TABLE}, and creates the table if it is missing.
     *
     * @throws IllegalArgumentException if the store does not support the database
     * @throws StoreUnavailableException if the database cannot be used
     */
    public static JdbcFence open(DataSource database) {
        return open(database, DEFAULT_TABLE, true);
    }

    /**
     * Opens the fence in the given table.
     *
     * @param createTable true if the fence creates a missing table
     * @throws IllegalArgumentException if the name of the table is invalid, or the store does not support the database
     * @throws StoreUnavailableException if the database cannot be used
     */
    public static JdbcFence open(DataSource database, String table, boolean createTable) {
        JdbcSettings.checkTable(table);
        DriverFaults faults = DriverFaults.ofDataSource();
        try (Connection connection = database.getConnection()) {
            boolean autoCommit = connection.getAutoCommit();
            try {
                connection.setAutoCommit(true);
                Dialect dialect = Dialects.of(connection);
                TermTable terms = dialect.terms(table);
                TableCreation.ensure(
                        connection, table, createTable, dialect.fenceTable(table), terms::probe, dialect, faults);
                return new JdbcFence(database, terms, dialect.mustForce(connection));
            } finally {
                Connections.restore(connection, autoCommit);
            }
        } catch (SQLException e) {
            throw new StoreUnavailableException("the fence table " + table + " cannot be used: " + faults.describe(e));
        }
    }

    /**
     * Admits {@code term} in the caller's transaction.
     *
     * <p>The fence stores the term only if the transaction commits. The resource's row stays locked until the
     * transaction ends.
     *
     * @param transaction a connection without auto-commit
     * @throws IllegalStateException if the connection has auto-commit
     * @throws StaleTermException if a higher term was admitted before. The caller must then roll back
     * @throws SQLException if a statement fails. An exception of the driver is not wrapped, so the caller can recognise
     *     a deadlock and retry
     */
    public void admit(Connection transaction, String resource, long term) throws SQLException {
        check(resource, term);
        if (transaction.getAutoCommit()) {
            throw new IllegalStateException("the connection commits each statement by itself, so the term would be"
                    + " stored without the data; call setAutoCommit(false) first");
        }
        long seen = terms.admit(transaction, resource, term);
        if (seen > term) {
            throw new StaleTermException(resource, term, seen);
        }
    }

    /**
     * Admits {@code term} in its own transaction.
     *
     * @throws StoreUnavailableException if the database failed, or if this call conflicted with other calls too often.
     *     The caller must not write, although the fence has possibly stored the term
     */
    @Override
    public void admit(String resource, long term) {
        check(resource, term);
        for (int tries = 1; ; tries++) {
            try {
                admitAlone(resource, term);
                return;
            } catch (SQLException e) {
                // Concurrent calls can conflict, for example because of a deadlock or a locked file.
                if (!terms.dialect.didNothing(e) || tries == TRIES) {
                    throw new StoreUnavailableException("it is unknown whether term " + term + " of \"" + resource
                            + "\" is the highest: "
                            + DriverFaults.ofDataSource().describe(e));
                }
            }
        }
    }

    private void admitAlone(String resource, long term) throws SQLException {
        try (Connection connection = database.getConnection()) {
            boolean autoCommit = connection.getAutoCommit();
            try {
                connection.setAutoCommit(false);
                admit(connection, resource, term);
                connection.commit();
                if (forces) {
                    terms.dialect.force(connection);
                }
            } finally {
                Connections.restore(connection, autoCommit);
            }
        }
    }

    private static void check(String resource, long term) {
        ElectionNames.check("resource", resource);
        if (term < 1) {
            throw new IllegalArgumentException("term is " + term + "; terms start at 1");
        }
    }
}
