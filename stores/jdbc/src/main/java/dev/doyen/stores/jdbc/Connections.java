package dev.doyen.stores.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * The connections of a store that nobody uses at the moment. One that has rested is asked whether it still lives, and
 * an old one is replaced, so that a change of the server's address is followed. How many there are is bounded by who
 * takes them ({@link BoundedCalls}).
 *
 * <p>Connections of somebody else's pool are given back to it at once, as they were.
 */
final class Connections implements AutoCloseable {

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

    /** Of this store alone: connections are kept open. */
    static Connections own(Opener opener) {
        return new Connections(opener, true);
    }

    /** Of somebody else's pool: none is kept. */
    static Connections pooled(Opener pool) {
        return new Connections(pool, false);
    }

    /** A connection that commits each statement by itself. */
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
            boolean autoCommit = connection.getAutoCommit();
            if (!autoCommit) {
                connection.setAutoCommit(true);
            }
            return new Lent(connection, autoCommit);
        } catch (SQLException e) {
            closeQuietly(connection);
            throw e;
        }
    }

    /** After good use. */
    void giveBack(Lent lent) {
        if (keeps) {
            lent.restedFrom = System.nanoTime();
            synchronized (this) {
                if (!closed) {
                    resting.push(lent);
                    return;
                }
            }
        } else if (!lent.autoCommit) {
            try {
                lent.connection.setAutoCommit(false);
            } catch (SQLException e) {
                // A pool takes back what is broken, and throws it away.
            }
        }
        closeQuietly(lent.connection);
    }

    /** After a fault: what state it is in, nobody knows. The others may have met the same, and are asked before use. */
    void throwAway(Lent lent) {
        synchronized (this) {
            resting.forEach(other -> other.restedFrom -= RESTED_NANOS);
        }
        closeQuietly(lent.connection);
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
        }
        for (Lent lent = poll(); lent != null; lent = poll()) {
            closeQuietly(lent.connection);
        }
    }

    private synchronized @Nullable Lent poll() {
        return resting.poll();
    }

    static void closeQuietly(Connection connection) {
        try {
            connection.close();
        } catch (SQLException e) {
            // It is of no use any more either way.
        }
    }
}
