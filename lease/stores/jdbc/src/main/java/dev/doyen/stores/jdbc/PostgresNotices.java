package dev.doyen.stores.jdbc;

import dev.doyen.log.FaultLog;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.support.LeaseWatchers;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/**
 * Announces changes through PostgreSQL's {@code LISTEN} and {@code NOTIFY}.
 *
 * <p>The class uses one connection and one thread, which start with the first watch. Notifications are lost while the
 * connection is broken. So each time the class begins to listen, it announces all watched elections. If the
 * connection belongs to a pool, the class restores the auto-commit mode before it returns the connection.
 */
final class PostgresNotices implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger("dev.doyen");

    /**
     * The time in milliseconds after which a silent connection is validated. Without the validation, a network
     * partition would not be detected.
     */
    private static final long SILENCE_MILLIS = 5_000;

    /**
     * The interval in milliseconds at which the listener checks whether it must end. No other thread can use the
     * connection while the listener waits for notifications.
     */
    private static final int LOOK_UP_MILLIS = 200;

    /**
     * The time in milliseconds that {@link #close} waits for the end of the listener. After this time {@link #close}
     * aborts the connection, because the server does not answer.
     */
    private static final long LEAVING_MILLIS = 1_000;

    private static final long FIRST_PAUSE_MILLIS = 100;
    private static final long LONGEST_PAUSE_MILLIS = 5_000;

    private final Connections.Opener opener;
    private final String channel;
    private final int aliveSeconds;
    private final DriverFaults faults;
    private final ThreadFactory factory;
    private final FaultLog log = new FaultLog(LOG);
    private final LeaseWatchers watchers = new LeaseWatchers(log);
    private final CountDownLatch closing = new CountDownLatch(1);
    private @Nullable Thread thread;
    private @Nullable Connection listening;

    PostgresNotices(Connections.Opener opener, String channel, Duration timeout, DriverFaults faults) {
        this(opener, channel, timeout, faults, Thread::new);
    }

    /**
     * @param factory the factory of the thread that listens
     */
    PostgresNotices(
            Connections.Opener opener, String channel, Duration timeout, DriverFaults faults, ThreadFactory factory) {
        this.opener = opener;
        this.channel = channel;
        this.aliveSeconds = Math.max(1, (int) timeout.toSeconds());
        this.faults = faults;
        this.factory = factory;
    }

    /** Watches an election. If the listening thread cannot be started now, the result is empty and the caller polls. */
    Optional<LeaseStore.Watch> watch(String election, Runnable changed) {
        if (!start()) {
            return Optional.empty();
        }
        return Optional.of(watchers.add(election, changed));
    }

    /**
     * Ends the listener, and waits until its connection is back in the pool or aborted. The caller often closes the
     * pool next. The method does not wait for a connection that the listener is still opening.
     */
    @Override
    public void close() {
        closing.countDown();
        Thread listener;
        synchronized (this) {
            listener = listening == null ? null : thread;
        }
        if (listener != null) {
            awaitEnd(listener);
        }
        Connection left;
        synchronized (this) {
            left = listening;
        }
        if (left != null) {
            Connections.abortQuietly(left);
        }
    }

    private static void awaitEnd(Thread listener) {
        try {
            listener.join(LEAVING_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized boolean start() {
        if (thread != null || isClosing()) {
            return true;
        }
        return log.survives("starting the thread that listens to PostgreSQL", () -> {
            Thread starting = factory.newThread(this::listenUntilClosed);
            starting.setName("doyen-jdbc-listen");
            starting.setDaemon(true);
            starting.start();
            thread = starting;
        });
    }

    private void listenUntilClosed() {
        long pause = FIRST_PAUSE_MILLIS;
        while (!isClosing()) {
            long began = System.nanoTime();
            try {
                listen();
            } catch (Throwable e) {
                if (isClosing()) {
                    return;
                }
                boolean lasted = System.nanoTime() - began > LONGEST_PAUSE_MILLIS * 1_000_000;
                pause = lasted ? FIRST_PAUSE_MILLIS : pause;
                Level level = pause == FIRST_PAUSE_MILLIS ? Level.WARNING : Level.DEBUG;
                log.survives("a line of the log", () -> complain(level, e));
                rest(pause);
                pause = Math.min(pause * 2, LONGEST_PAUSE_MILLIS);
            }
        }
    }

    private void complain(Level level, Throwable fault) {
        String why = fault instanceof Exception failure ? faults.describe(failure) : fault.toString();
        LOG.log(
                level,
                "changes of leases are found by polling for now, because listening to PostgreSQL ended (" + why
                        + "); the store tries again");
    }

    private void listen() throws SQLException {
        Connection connection = opener.open();
        boolean clean = false;
        try {
            if (present(connection)) {
                listenOn(connection);
            }
            clean = true;
        } finally {
            present(null);
            if (!clean) {
                // Do not return this connection to a pool, because the connection would continue to listen there.
                Connections.abortQuietly(connection);
            }
            Connections.closeQuietly(connection);
        }
    }

    /** Listens until the store is closed, then restores the connection's auto-commit mode. */
    private void listenOn(Connection connection) throws SQLException {
        boolean autoCommit = connection.getAutoCommit();
        connection.setAutoCommit(true);
        PGConnection postgres = connection.unwrap(PGConnection.class);
        Dialect.execute(connection, "LISTEN \"" + channel + "\"");
        watchers.announceAll();
        long lastMessageAt = System.nanoTime();
        while (!isClosing()) {
            PGNotification[] notices = postgres.getNotifications(LOOK_UP_MILLIS);
            if (notices != null && notices.length > 0) {
                lastMessageAt = System.nanoTime();
                for (PGNotification notice : notices) {
                    watchers.announce(notice.getParameter());
                }
            } else if (System.nanoTime() - lastMessageAt > SILENCE_MILLIS * 1_000_000) {
                if (!connection.isValid(aliveSeconds)) {
                    throw new SQLException("the connection is dead");
                }
                lastMessageAt = System.nanoTime();
            }
        }
        Dialect.execute(connection, "UNLISTEN \"" + channel + "\"");
        connection.setAutoCommit(autoCommit);
    }

    /**
     * Records the listening connection, or null for none, so that {@link #close} can abort the connection. Returns
     * false if the store is being closed. In this case {@link #close} possibly does not abort this connection.
     */
    private synchronized boolean present(@Nullable Connection connection) {
        listening = connection;
        return !isClosing();
    }

    private boolean isClosing() {
        return closing.getCount() == 0;
    }

    private void rest(long millis) {
        try {
            if (closing.await(millis, TimeUnit.MILLISECONDS)) {
                return;
            }
        } catch (InterruptedException e) {
            // This thread is interrupted only at the end of the process.
            Thread.currentThread().interrupt();
            closing.countDown();
        }
    }
}
