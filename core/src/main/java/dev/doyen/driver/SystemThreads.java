package dev.doyen.driver;

import dev.doyen.event.Moment;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads of a real process: one loop thread, at most {@value #MAX_STORE_THREADS} for store calls, and at most
 * {@value #MAX_CALLBACK_THREADS} for callbacks. All are daemons, so that leading keeps no JVM alive by itself.
 */
public final class SystemThreads implements Threads {

    /** Hung calls keep their thread; with this many hung, further ones fail at once as unknown. */
    public static final int MAX_STORE_THREADS = 8;

    /** Callbacks that hang keep their thread; with this many hung, those of other candidates wait. */
    public static final int MAX_CALLBACK_THREADS = CallbackThreads.MAX;

    private final ScheduledThreadPoolExecutor loop;
    private final ThreadPoolExecutor store;
    private final CallbackThreads callbacks;

    public SystemThreads(String name) {
        loop = new ScheduledThreadPoolExecutor(1, named(name + "-loop"));
        loop.setRemoveOnCancelPolicy(true);
        loop.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        store = new ThreadPoolExecutor(
                0, MAX_STORE_THREADS, 30, TimeUnit.SECONDS, new SynchronousQueue<>(), named(name + "-store"));
        callbacks = new CallbackThreads(named(name + "-callback"));
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
            Future<?> future = loop.schedule(task, nanos - System.nanoTime(), TimeUnit.NANOSECONDS);
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

    private static boolean offer(ThreadPoolExecutor pool, Runnable task) {
        try {
            pool.execute(task);
            return true;
        } catch (RejectedExecutionException e) {
            return false;
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
}
