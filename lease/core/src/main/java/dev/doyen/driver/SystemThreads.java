package dev.doyen.driver;

import dev.doyen.election.Threads;
import dev.doyen.event.Moment;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * The threads of a real process.
 *
 * <p>All loops share one loop thread. There are at most {@value #MAX_STORE_THREADS} threads for store calls and at
 * most {@value #MAX_CALLBACK_THREADS} for callbacks. All threads are daemon threads, so they do not prevent the end of
 * the JVM.
 *
 * <p>The constructor starts one thread of each kind. These threads do not end while they are idle. If the process
 * cannot start further threads for a while, it continues with these threads.
 */
public final class SystemThreads implements Threads {

    /**
     * The maximum number of threads for store calls. A hung call occupies its thread. While all these threads are busy,
     * {@link #store} rejects further calls.
     */
    public static final int MAX_STORE_THREADS = 8;

    /**
     * The maximum number of threads for callbacks. A hung callback occupies its thread. While all these threads are
     * busy, further callbacks wait.
     */
    public static final int MAX_CALLBACK_THREADS = CallbackThreads.MAX;

    private static final long RETRY_MILLIS = 100;

    private final ScheduledThreadPoolExecutor loop;
    private final ThreadPoolExecutor store;
    private final CallbackThreads callbacks;
    private final EventLog log = new EventLog(this);

    public SystemThreads(String name) {
        this(SystemThreads::named, name);
    }

    /**
     * Starts the first threads. If a thread cannot start, the constructor ends the other threads and rethrows the
     * exception or error.
     *
     * @param factories the function that returns the thread factory for a thread name
     */
    SystemThreads(Function<String, ThreadFactory> factories, String name) {
        loop = new ScheduledThreadPoolExecutor(1, factories.apply(name + "-loop"));
        loop.setRemoveOnCancelPolicy(true);
        loop.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        store = new ThreadPoolExecutor(
                1, MAX_STORE_THREADS, 30, TimeUnit.SECONDS, new SynchronousQueue<>(), factories.apply(name + "-store"));
        callbacks = new CallbackThreads(factories.apply(name + "-callback"), this::later);
        try {
            loop.prestartAllCoreThreads();
            store.prestartAllCoreThreads();
        } catch (Throwable e) {
            close();
            throw e;
        }
    }

    @Override
    public Moment now() {
        return new Moment(System.nanoTime(), System.currentTimeMillis());
    }

    @Override
    public boolean loop(Runnable task) {
        return offer(loop, task);
    }

    @Override
    public Timer at(long nanos, Runnable task) {
        try {
            Future<?> future = loop.schedule(guarded(task), nanos - System.nanoTime(), TimeUnit.NANOSECONDS);
            return () -> future.cancel(false);
        } catch (RejectedExecutionException e) {
            return () -> {};
        }
    }

    @Override
    public boolean store(Runnable call) {
        return offer(store, call);
    }

    @Override
    public void callback(Runnable callback) {
        callbacks.run(callback);
    }

    @Override
    public void close() {
        loop.shutdown();
        store.shutdown();
        callbacks.close();
    }

    private void later(Runnable task) {
        at(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(RETRY_MILLIS), task);
    }

    /**
     * Submits a task to a pool. Returns false if the pool rejects the task or cannot start a thread for it.
     *
     * <p>If {@link Thread#start} throws, the pool rethrows the throwable and drops the task.
     */
    private boolean offer(ThreadPoolExecutor pool, Runnable task) {
        try {
            pool.execute(guarded(task));
            return true;
        } catch (RejectedExecutionException e) {
            return false;
        } catch (Throwable e) {
            log.fault("", "a thread could not be started", e);
            return false;
        }
    }

    /**
     * Returns a wrapper that passes each exception or error of {@code task} to {@link EventLog#fault}. The wrapper
     * throws nothing. Without the wrapper, an exception could end a thread, or be lost in a future that no code reads.
     */
    private Runnable guarded(Runnable task) {
        return () -> {
            try {
                task.run();
            } catch (Throwable e) {
                log.fault("", "a task failed", e);
            }
        };
    }

    private static ThreadFactory named(String name) {
        var count = new AtomicInteger();
        return task -> {
            var thread = new Thread(task, name + "-" + count.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }
}
