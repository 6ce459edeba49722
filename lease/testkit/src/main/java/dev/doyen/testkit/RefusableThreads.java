package dev.doyen.testkit;

import java.util.concurrent.ThreadFactory;
import java.util.function.BooleanSupplier;

/**
 * Creates daemon threads whose start fails on demand.
 *
 * <p>{@link Thread#start} of such a thread throws an {@link OutOfMemoryError}, as in a process that cannot start
 * another thread. The thread requests a stack that does not fit into any address space, so the start fails inside the
 * virtual machine. An overridden {@code start} is not enough: since Java 21, a thread pool does not call it.
 *
 * <p>Threads: any.
 */
public final class RefusableThreads implements ThreadFactory {

    private static final long IMPOSSIBLE_STACK = 1L << 60;

    private final BooleanSupplier refusing;

    /**
     * Creates a factory.
     *
     * @param refusing the function that is called for each new thread; true makes the start of that thread fail
     */
    public RefusableThreads(BooleanSupplier refusing) {
        this.refusing = refusing;
    }

    @Override
    public Thread newThread(Runnable task) {
        var thread = new Thread(null, task, "refusable", refusing.getAsBoolean() ? IMPOSSIBLE_STACK : 0);
        thread.setDaemon(true);
        return thread;
    }
}
