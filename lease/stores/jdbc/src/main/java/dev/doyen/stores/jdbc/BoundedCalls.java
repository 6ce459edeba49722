package dev.doyen.stores.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransientException;
import java.time.Duration;
import java.util.List;
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
 * Runs calls to a database on a limited number of threads. Each call has a timeout.
 *
 * <p>Many drivers wait forever by default, and some drivers have no setting for a timeout. So the caller returns at its
 * deadline even if the driver hangs, and a separate thread aborts the connection. The thread of the call becomes free
 * when the driver returns from the aborted call.
 *
 * <p>Each call in progress has its own thread and its own connection.
 */
final class BoundedCalls implements AutoCloseable {

    private static final int MAX_WAITING = 1024;

    /** A piece of work on a connection. {@code deadline} is a value of {@link System#nanoTime}, in nanoseconds. */
    interface Work<T> {
        T on(Connection connection, long deadline) throws SQLException;
    }

    private final Connections connections;
    private final Duration timeout;
    private final ThreadPoolExecutor threads;
    private final ThreadPoolExecutor breaking;
    /** The connections to abort: connections of hanging calls, and idle connections whose close hangs. */
    private final Queue<Connection> toClose = new ConcurrentLinkedQueue<>();

    BoundedCalls(Connections connections, int atOnce, Duration timeout) {
        this(connections, atOnce, timeout, BoundedCalls::named);
    }

    /**
     * @param factories the function that makes the thread factory for a given name prefix
     */
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
        // This pool aborts connections. An abort can wait for the server, so each abort has its own thread. The number
        // of open connections limits the number of aborts. close() does not shut this pool down, because the pool must
        // still abort hanging calls. Idle threads end by themselves.
        this.breaking = new ThreadPoolExecutor(
                0,
                Integer.MAX_VALUE,
                1,
                TimeUnit.SECONDS,
                new SynchronousQueue<>(),
                factories.apply("doyen-jdbc-break-off"));
    }

    /**
     * Runs the work on a connection and returns its result within the timeout.
     *
     * <p>After an {@link SQLException} the caller must treat the outcome as unknown, unless the exception states that
     * the server changed nothing.
     */
    <T> T call(Work<T> work) throws SQLException {
        closeWaiting();
        var call = new Call<>(work, System.nanoTime() + timeout.toNanos());
        try {
            threads.execute(call.task);
        } catch (RejectedExecutionException e) {
            throw new SQLTransientException(
                    threads.isShutdown() ? "the store is closed" : MAX_WAITING + " calls already wait for a connection",
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

    /**
     * Rejects further calls and closes the idle connections.
     *
     * <p>If the closing takes longer than the timeout, the method returns, and other threads abort the connections. If
     * no thread can be started, the method closes the connections itself, without a timeout. The method does not wait
     * for calls in progress. These calls end at their own deadlines.
     */
    @Override
    public void close() {
        threads.shutdown();
        closeWaiting();
        List<Connection> idle = connections.end();
        if (idle.isEmpty()) {
            return;
        }
        // Some drivers wait for the server's answer when they close a connection.
        var closing = new FutureTask<>(() -> idle.forEach(Connections::closeQuietly), true);
        try {
            breaking.execute(closing);
            closing.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (TimeoutException e) {
            idle.forEach(this::closeLater);
        } catch (Throwable e) {
            // No thread could be started, so this thread closes the connections.
            closing.run();
        }
    }

    private void closeLater(Connection connection) {
        toClose.add(connection);
        closeWaiting();
    }

    /**
     * Aborts the connections in the queue.
     *
     * <p>If no thread can be started now, the next call of this method tries again. Until then, each hung connection
     * occupies the thread of its call.
     */
    private void closeWaiting() {
        for (int i = toClose.size(); i > 0; i--) {
            try {
                breaking.execute(this::closeOne);
            } catch (Throwable e) {
                // No thread could be started.
                return;
            }
        }
    }

    private void closeOne() {
        Connection connection = toClose.poll();
        if (connection != null) {
            Connections.abortQuietly(connection);
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

    /** A database call in progress. The caller can time out before the call ends. */
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
                connections.prepare(lent);
                T answer = work.on(lent.connection(), deadline);
                good = true;
                return answer;
            } finally {
                // Restore the connection before the call ends, so that the caller's timeout also aborts a restore that
                // hangs.
                connections.restore(lent);
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

        /**
         * Ends the call. Returns false if the connection is being aborted, because the caller has timed out or was
         * interrupted.
         */
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
                    closeLater(current);
                }
            }
        }
    }
}
