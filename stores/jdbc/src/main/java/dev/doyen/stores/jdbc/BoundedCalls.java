package dev.doyen.stores.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransientException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Calls to a database, each on a connection and a thread of its own, at most so many at once and each answered in time:
 * drivers wait for ever unless told otherwise, and not all can be told. The caller leaves at its deadline; the
 * connection is broken off behind it, and its thread comes back when the driver lets go of it.
 */
final class BoundedCalls implements AutoCloseable {

    private static final int MAX_WAITING = 1024;

    /** What is done on a connection. {@code deadline} is in the nanoseconds of {@link System#nanoTime}. */
    interface Work<T> {
        T on(Connection connection, long deadline) throws SQLException;
    }

    private final Connections connections;
    private final Duration timeout;
    private final ThreadPoolExecutor threads;
    private final ExecutorService breaking;

    BoundedCalls(Connections connections, int atOnce, Duration timeout) {
        this.connections = connections;
        this.timeout = timeout;
        this.threads = new ThreadPoolExecutor(
                atOnce, atOnce, 30, TimeUnit.SECONDS, new LinkedBlockingQueue<>(MAX_WAITING), named("doyen-jdbc"));
        this.threads.allowCoreThreadTimeOut(true);
        // As many at most as there are calls under way. Breaking off may itself wait for the server.
        this.breaking = Executors.newCachedThreadPool(named("doyen-jdbc-break-off"));
    }

    /** Any {@link SQLException} leaves open what the server did, unless the server itself has said so in it. */
    <T> T call(Work<T> work) throws SQLException {
        var call = new Call<>(work, System.nanoTime() + timeout.toNanos());
        try {
            threads.execute(call.task);
        } catch (RejectedExecutionException e) {
            throw new SQLTransientException(
                    threads.isShutdown() ? "the store is closed" : MAX_WAITING + " calls wait for a connection already",
                    e);
        }
        try {
            return call.task.get(call.deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            call.leave();
            throw new SQLTimeoutException("no answer within " + timeout.toMillis() + " ms", e);
        } catch (InterruptedException e) {
            call.leave();
            Thread.currentThread().interrupt();
            throw new SQLTransientException("interrupted before there was an answer", e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof SQLException fault) {
                throw fault;
            }
            if (e.getCause() instanceof RuntimeException fault) {
                throw fault;
            }
            throw new SQLException("the driver failed: " + e.getCause(), e);
        }
    }

    /** Calls under way end as they can. */
    @Override
    public void close() {
        threads.shutdown();
        connections.close();
        breaking.shutdown();
    }

    private void breakOff(Connection connection) {
        try {
            breaking.execute(() -> {
                try {
                    connection.abort(Runnable::run);
                } catch (SQLException | RuntimeException e) {
                    // Then it ends by the driver's own timeout, or with the call.
                }
            });
        } catch (RejectedExecutionException e) {
            // The store was closed meanwhile.
        }
    }

    private static ThreadFactory named(String name) {
        var count = new AtomicInteger();
        return task -> {
            var thread = new Thread(task, name + "-" + count.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }

    /** One call, which its caller may leave. */
    private final class Call<T> {
        private final Work<T> work;
        private final long deadline;
        private final FutureTask<T> task = new FutureTask<>(this::run);
        private @Nullable Connection current;
        private boolean left;

        Call(Work<T> work, long deadline) {
            this.work = work;
            this.deadline = deadline;
        }

        private T run() throws SQLException {
            Connections.Lent lent = connections.take();
            boolean good = false;
            try {
                if (!begin(lent.connection())) {
                    good = true;
                    throw new SQLTimeoutException("the caller has left");
                }
                T answer = work.on(lent.connection(), deadline);
                good = true;
                return answer;
            } finally {
                if (end() && good) {
                    connections.giveBack(lent);
                } else {
                    connections.throwAway(lent);
                }
            }
        }

        private synchronized boolean begin(Connection connection) {
            if (left) {
                return false;
            }
            current = connection;
            return true;
        }

        /** False if the connection is being broken off, or was. */
        private synchronized boolean end() {
            boolean broken = left && current != null;
            current = null;
            return !broken;
        }

        private void leave() {
            task.cancel(false);
            threads.remove(task);
            synchronized (this) {
                left = true;
                if (current != null) {
                    breakOff(current);
                }
            }
        }
    }
}
