package dev.doyen.stores.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransientException;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
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
    private final ThreadPoolExecutor breaking;
    /** Connections to be broken off: no more than there are calls under way. */
    private final Queue<Connection> toBreakOff = new ConcurrentLinkedQueue<>();

    BoundedCalls(Connections connections, int atOnce, Duration timeout) {
        this(connections, atOnce, timeout, BoundedCalls::named);
    }

    /** @param factories makes the factory for the threads of a name */
    BoundedCalls(Connections connections, int atOnce, Duration timeout, Function<String, ThreadFactory> factories) {
        this.connections = connections;
        this.timeout = timeout;
        this.threads = new ThreadPoolExecutor(
                atOnce,
                atOnce,
                30,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(MAX_WAITING),
                factories.apply("doyen-jdbc"));
        this.threads.allowCoreThreadTimeOut(true);
        // As many at most as there are calls under way. Breaking off may itself wait for the server.
        this.breaking = new ThreadPoolExecutor(
                0,
                Integer.MAX_VALUE,
                60,
                TimeUnit.SECONDS,
                new SynchronousQueue<>(),
                factories.apply("doyen-jdbc-break-off"));
    }

    /** Any {@link SQLException} leaves open what the server did, unless the server itself has said so in it. */
    <T> T call(Work<T> work) throws SQLException {
        breakOffWaiting();
        var call = new Call<>(work, System.nanoTime() + timeout.toNanos());
        try {
            threads.execute(call.task);
        } catch (RejectedExecutionException e) {
            throw new SQLTransientException(
                    threads.isShutdown() ? "the store is closed" : MAX_WAITING + " calls wait for a connection already",
                    e);
        } catch (Throwable e) {
            throw new SQLTransientException("no thread could be started for the call: " + e, e);
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
        toBreakOff.add(connection);
        breakOffWaiting();
    }

    /** If no thread can be started now, the next call tries again: its thread is lost to a hung connection until then. */
    private void breakOffWaiting() {
        for (int i = toBreakOff.size(); i > 0; i--) {
            try {
                breaking.execute(this::breakOffOne);
            } catch (Throwable e) {
                // Closed meanwhile, or no thread.
                return;
            }
        }
    }

    private void breakOffOne() {
        Connection connection = toBreakOff.poll();
        if (connection != null) {
            try {
                connection.abort(Runnable::run);
            } catch (Throwable e) {
                // Then it ends by the driver's own timeout, or with the call.
            }
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
