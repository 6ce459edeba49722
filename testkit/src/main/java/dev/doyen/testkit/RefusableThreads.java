package dev.doyen.testkit;

import java.util.concurrent.ThreadFactory;
import java.util.function.BooleanSupplier;

/**
 * Makes daemon threads whose start fails while they are refused, as in a process that can start no further thread: with an
 * {@link OutOfMemoryError}.
 *
 * <p>Threads: any.
 */
public final class RefusableThreads implements ThreadFactory {

    private final BooleanSupplier refusing;

    /** @param refusing asked at each start */
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
