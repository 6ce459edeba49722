package dev.doyen.stores.jdbc;

import dev.doyen.store.LeaseStore;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/**
 * Announces changes by PostgreSQL's own notices, with one connection and one thread, which start with the first watch.
 * Notices that came while there was no connection are lost; so everything watched is announced each time that listening
 * begins.
 */
final class PostgresNotices implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger("dev.doyen");

    /** A silent connection is asked this often whether it still lives: a cut cable says nothing. */
    private static final int SILENCE_MILLIS = 5_000;

    private static final long FIRST_PAUSE_MILLIS = 100;
    private static final long LONGEST_PAUSE_MILLIS = 5_000;

    private final Connections.Opener opener;
    private final String channel;
    private final int aliveSeconds;
    private final DriverFaults faults;
    private final ConcurrentMap<String, List<Runnable>> watchers = new ConcurrentHashMap<>();
    private final CountDownLatch closing = new CountDownLatch(1);
    private @Nullable Thread thread;
    private @Nullable Connection listening;

    PostgresNotices(Connections.Opener opener, String channel, Duration timeout, DriverFaults faults) {
        this.opener = opener;
        this.channel = channel;
        this.aliveSeconds = Math.max(1, (int) timeout.toSeconds());
        this.faults = faults;
    }

    LeaseStore.Watch watch(String election, Runnable changed) {
        // The lists are replaced, never changed: most have one entry, and there may be very many.
        watchers.compute(election, (name, list) -> {
            List<Runnable> all = list == null ? new ArrayList<>() : new ArrayList<>(list);
            all.add(changed);
            return List.copyOf(all);
        });
        start();
        return () -> watchers.computeIfPresent(election, (name, list) -> {
            List<Runnable> fewer = new ArrayList<>(list);
            fewer.remove(changed);
            return fewer.isEmpty() ? null : List.copyOf(fewer);
        });
    }

    @Override
    public void close() {
        closing.countDown();
        Connection present;
        synchronized (this) {
            present = listening;
        }
        if (present != null) {
            breakOff(present);
        }
    }

    private synchronized void start() {
        if (thread == null && !isClosing()) {
            thread = new Thread(this::listenUntilClosed, "doyen-jdbc-listen");
            thread.setDaemon(true);
            thread.start();
        }
    }

    private void listenUntilClosed() {
        long pause = FIRST_PAUSE_MILLIS;
        while (!isClosing()) {
            long began = System.nanoTime();
            try {
                listen();
            } catch (SQLException | RuntimeException e) {
                if (isClosing()) {
                    return;
                }
                boolean lasted = System.nanoTime() - began > LONGEST_PAUSE_MILLIS * 1_000_000;
                pause = lasted ? FIRST_PAUSE_MILLIS : pause;
                LOG.log(
                        pause == FIRST_PAUSE_MILLIS ? Level.WARNING : Level.DEBUG,
                        "changes of leases are not announced for now, and found by asking: listening to PostgreSQL"
                                + " ended (" + faults.tell(e) + "); it is tried again");
                rest(pause);
                pause = Math.min(pause * 2, LONGEST_PAUSE_MILLIS);
            }
        }
    }

    private void listen() throws SQLException {
        Connection connection = opener.open();
        try {
            if (!present(connection)) {
                return;
            }
            connection.setAutoCommit(true);
            PGConnection postgres = connection.unwrap(PGConnection.class);
            Dialect.execute(connection, "LISTEN \"" + channel + "\"");
            watchers.values().forEach(PostgresNotices::announce);
            while (!isClosing()) {
                PGNotification[] notices = postgres.getNotifications(SILENCE_MILLIS);
                if (notices == null || notices.length == 0) {
                    if (!connection.isValid(aliveSeconds)) {
                        throw new SQLException("the connection is dead");
                    }
                    continue;
                }
                for (PGNotification notice : notices) {
                    announce(watchers.getOrDefault(notice.getParameter(), List.of()));
                }
            }
        } finally {
            present(null);
            // Never given back to a pool: it would go on listening there.
            breakOff(connection);
            Connections.closeQuietly(connection);
        }
    }

    /** False if the store is being closed, and nobody would break this connection off. */
    private synchronized boolean present(@Nullable Connection connection) {
        listening = connection;
        return !isClosing();
    }

    private static void announce(List<Runnable> watchers) {
        for (Runnable changed : watchers) {
            try {
                changed.run();
            } catch (RuntimeException e) {
                LOG.log(Level.WARNING, "a watcher of a lease failed", e);
            }
        }
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
