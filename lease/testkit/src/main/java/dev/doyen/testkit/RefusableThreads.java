package dev.doyen.testkit;

import java.util.concurrent.ThreadFactory;
import java.util.function.BooleanSupplier;

/**
 * Creates daemon threads whose start fails on demand.
 *
 * <p>The failure is an {@link OutOfMemoryError}, as in a process that cannot start another thread.
 *
 * <p>Threads: any.
 */
public final class RefusableThreads implements ThreadFactory {

    private final BooleanSupplier refusing;

    /** @param refusing evaluated at each start; true makes it fail */
    public RefusableThreads(BooleanSupplier refusing) {
        this.refusing = refusing;
    }

    @Override
    public Thread newThread(Runnable task) {
        var thread = new Thread(task) {
            @Override
            public synchronized void start() {
                if (refusing.getAsBoolean()) {
                    throw new OutOfMemoryError("unable to create native thread, on purpose");
                }
                super.start();
            }
        };
        thread.setDaemon(true);
        return thread;
    }
}
