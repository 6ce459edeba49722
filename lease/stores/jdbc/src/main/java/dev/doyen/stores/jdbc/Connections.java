package dev.doyen.stores.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The idle connections of a store.
 *
 * <p>A connection that was idle for a second is validated before use. A connection older than ten minutes is replaced,
 * so that the store follows a change of the server's address. {@link BoundedCalls} limits how many connections exist.
 *
 * <p>A connection from an application's pool goes back to the pool after each use. Before that, the store restores
 * the connection's auto-commit mode.
 */
final class Connections {

    private static final long RESTED_NANOS = 1_000_000_000L;
    private static final long OLD_NANOS = 600 * 1_000_000_000L;
    private static final int ALIVE_SECONDS = 1;

    /** Opens a connection, ready for use. */
    interface Opener {
        Connection open() throws SQLException;
    }

    /** A connection in use. */
    static final class Lent {
        private final Connection connection;
        private final boolean autoCommit;
        private final long openedAt;
        private long restedFrom;

        private Lent(Connection connection, boolean autoCommit) {
            this.connection = connection;
            this.autoCommit = autoCommit;
            this.openedAt = System.nanoTime();
        }

        Connection connection() {
            return connection;
        }
    }

    private final Opener opener;
    private final boolean keeps;
    private final Deque<Lent> resting = new ArrayDeque<>();
    private boolean closed;

    private Connections(Opener opener, boolean keeps) {
        this.opener = opener;
        this.keeps = keeps;
    }

    /** Returns connections that the store owns and keeps open. */
    static Connections own(Opener opener) {
        return new Connections(opener, true);
    }

    /**
     * Returns connections that an application's pool owns. The store does not keep these connections open between
     * calls.
     */
    static Connections pooled(Opener pool) {
        return new Connections(pool, false);
    }

    /** Returns a connection. The caller must call {@link #prepare} before it uses the connection. */
    Lent take() throws SQLException {
        for (Lent lent = poll(); lent != null; lent = poll()) {
            long now = System.nanoTime();
            if (now - lent.openedAt < OLD_NANOS
                    && (now - lent.restedFrom < RESTED_NANOS || lent.connection.isValid(ALIVE_SECONDS))) {
                return lent;
            }
            closeQuietly(lent.connection);
        }
        Connection connection = opener.open();
        try {
            return new Lent(connection, connection.getAutoCommit());
        } catch (SQLException | RuntimeException e) {
            closeQuietly(connection);
            throw e;
        }
    }

    /** Turns auto-commit on. */
    void prepare(Lent lent) throws SQLException {
        if (!lent.autoCommit) {
            lent.connection.setAutoCommit(true);
        }
    }

    /**
     * Restores the original auto-commit mode of a connection from a pool. The caller must do this before the connection
     * goes back to the pool.
     */
    void restore(Lent lent) {
        if (!keeps) {
            restore(lent.connection, lent.autoCommit);
        }
    }

    /**
     * Rolls back an open transaction and restores auto-commit.
     *
     * <p>If the driver throws an exception, the method aborts the connection. Without the abort, the pool would lend
     * the connection in a mode that the next user does not expect.
     */
    static void restore(Connection connection, boolean autoCommit) {
        try {
            if (!connection.getAutoCommit()) {
                // Roll back first, because setAutoCommit(true) would commit the transaction.
                connection.rollback();
            }
            if (connection.getAutoCommit() != autoCommit) {
                connection.setAutoCommit(autoCommit);
            }
        } catch (Throwable e) {
            abortQuietly(connection);
        }
    }

    /**
     * Stores a connection as idle after a successful use. If the connection belongs to a pool, or if {@link #end} was
     * called, the method closes the connection instead.
     */
    void giveBack(Lent lent) {
        if (keeps) {
            lent.restedFrom = System.nanoTime();
            synchronized (this) {
                if (!closed) {
                    resting.push(lent);
                    return;
                }
            }
        }
        closeQuietly(lent.connection);
    }

    /**
     * Discards a connection after a fault, because its state is unknown.
     *
     * <p>The cause of the fault possibly affects the other connections too. So the method also marks the other idle
     * connections as due for validation.
     */
    void throwAway(Lent lent) {
        synchronized (this) {
            resting.forEach(other -> other.restedFrom -= RESTED_NANOS);
        }
        closeQuietly(lent.connection);
    }

    /**
     * Ends the reuse of connections: from now on, no connection is stored as idle. Returns the current idle
     * connections, which the caller must close.
     */
    synchronized List<Connection> end() {
        closed = true;
        List<Connection> idle = resting.stream().map(Lent::connection).toList();
        resting.clear();
        return idle;
    }

    private synchronized @Nullable Lent poll() {
        return resting.poll();
    }

    static void closeQuietly(Connection connection) {
        try {
            connection.close();
        } catch (Throwable e) {
            // The store does not use this connection again, so a fault has no effect.
        }
    }

    static void abortQuietly(Connection connection) {
        try {
            connection.abort(Runnable::run);
        } catch (Throwable e) {
            // If the abort fails, the server or the driver's own timeout ends the connection.
        }
    }
}
