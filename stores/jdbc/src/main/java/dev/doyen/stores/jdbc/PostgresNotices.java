package dev.doyen.stores.jdbc;

import dev.doyen.store.FaultLog;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseWatchers;
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
 * Announces changes by PostgreSQL's own notices, with one connection and one thread, which start with the first watch.
 * Notices that came while there was no connection are lost; so everything watched is announced each time that listening
 * begins. The connection may be a pool's, and goes back to it as it was.
 */
final class PostgresNotices implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger("dev.doyen");

    /** A silent connection is asked this often whether it still lives: a cut cable says nothing. */
    private static final long SILENCE_MILLIS = 5_000;

    /** So often the listener looks whether it is to end: while it waits on its connection, nobody else can use that. */
    private static final int LOOK_UP_MILLIS = 200;

    /** How long {@link #close} waits for the listener; then the server does not answer, and the connection is broken off. */
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

    /** @param factory makes the thread that listens */
    PostgresNotices(
            Connections.Opener opener, String channel, Duration timeout, DriverFaults faults, ThreadFactory factory) {
        this.opener = opener;
        this.channel = channel;
        this.aliveSeconds = Math.max(1, (int) timeout.toSeconds());
        this.faults = faults;
        this.factory = factory;
    }

    /** Empty if the thread that listens cannot be started, for the moment: the caller polls. */
    Optional<LeaseStore.Watch> watch(String election, Runnable changed) {
        if (!start()) {
            return Optional.empty();
        }
        return Optional.of(watchers.add(election, changed));
    }

    /** Waits until the connection has been given back or broken off: a pool may be closed next. */
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
            breakOff(left);
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
        return log.survives("the start of the thread that listens to PostgreSQL", () -> {
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
        String why = fault instanceof Exception failure ? faults.tell(failure) : fault.toString();
        LOG.log(
                level,
                "changes of leases are not announced for now, and found by asking: listening to PostgreSQL ended ("
                        + why + "); it is tried again");
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
                // A pool must not have it back: it would go on listening there.
                breakOff(connection);
            }
            Connections.closeQuietly(connection);
        }
    }

    /** Returns when the store is being closed, with the connection as it was. */
    private void listenOn(Connection connection) throws SQLException {
        boolean autoCommit = connection.getAutoCommit();
        connection.setAutoCommit(true);
        PGConnection postgres = connection.unwrap(PGConnection.class);
        Dialect.execute(connection, "LISTEN \"" + channel + "\"");
        watchers.announceAll();
        long heard = System.nanoTime();
        while (!isClosing()) {
            PGNotification[] notices = postgres.getNotifications(LOOK_UP_MILLIS);
            if (notices != null && notices.length > 0) {
                heard = System.nanoTime();
                for (PGNotification notice : notices) {
                    watchers.announce(notice.getParameter());
                }
            } else if (System.nanoTime() - heard > SILENCE_MILLIS * 1_000_000) {
                if (!connection.isValid(aliveSeconds)) {
                    throw new SQLException("the connection is dead");
                }
                heard = System.nanoTime();
            }
        }
        Dialect.execute(connection, "UNLISTEN \"" + channel + "\"");
        connection.setAutoCommit(autoCommit);
    }

    /** False if the store is being closed, and nobody would break this connection off. */
    private synchronized boolean present(@Nullable Connection connection) {
        listening = connection;
        return !isClosing();
    }

    private static void breakOff(Connection connection) {
        try {
            connection.abort(Runnable::run);
        } catch (SQLException | RuntimeException e) {
            // The server ends it, or the end of the process.
        }
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
            // Nobody interrupts this thread but the end of the process.
            Thread.currentThread().interrupt();
            closing.countDown();
        }
    }
}
