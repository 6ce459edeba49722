package dev.doyen.stores.objects;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * Runs many blocking calls concurrently, on the caller's thread and a few other threads.
 *
 * <p>The executor has no queue. If all threads are busy for other callers, the caller runs its calls one after another
 * on its own thread.
 */
final class SideBySide implements AutoCloseable {

    /** The limit for concurrent calls of one caller. The service's client should keep this many connections open. */
    static final int WIDTH = 16;

    private final ThreadPoolExecutor threads;

    SideBySide(String name) {
        this(work -> {
            var thread = new Thread(work, name);
            thread.setDaemon(true);
            return thread;
        });
    }

    SideBySide(ThreadFactory factory) {
        this.threads = new ThreadPoolExecutor(0, WIDTH - 1, 10, TimeUnit.SECONDS, new SynchronousQueue<>(), factory);
    }

    /**
     * Runs the call for each item. Returns the results in the order of the items. If calls fail, the method throws the
     * failure of the first item whose call failed. Calls for later items can then still be running.
     */
    <T, R> List<R> each(List<T> items, Function<T, R> call) {
        List<FutureTask<R>> tasks = new ArrayList<>();
        for (T item : items) {
            Callable<R> one = () -> call.apply(item);
            tasks.add(new FutureTask<>(one));
        }
        var next = new AtomicInteger();
        Runnable work = () -> {
            for (int i = next.getAndIncrement(); i < tasks.size(); i = next.getAndIncrement()) {
                tasks.get(i).run();
            }
        };
        for (int i = 1; i < Math.min(WIDTH, tasks.size()); i++) {
            try {
                threads.execute(work);
            } catch (Throwable e) {
                // All threads are busy, or no thread can be started.
                break;
            }
        }
        work.run();
        return tasks.stream().map(SideBySide::answer).toList();
    }

    private static <R> R answer(Future<R> task) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return task.get();
                } catch (InterruptedException e) {
                    // The calls have timeouts, so this method waits for them and restores the interrupt afterwards.
                    interrupted = true;
                } catch (ExecutionException e) {
                    if (e.getCause() instanceof RuntimeException failure) {
                        throw failure;
                    }
                    throw new IllegalStateException(e.getCause());
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public void close() {
        threads.shutdown();
    }
}
