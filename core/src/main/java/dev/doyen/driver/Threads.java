package dev.doyen.driver;

import dev.doyen.event.Moment;

/**
 * Where loops run: the port between what is to be done and the threads and clocks of a real process, or of a test.
 * May be shared by any number of loops.
 */
public interface Threads extends AutoCloseable {

    /** Both clocks, read now. */
    Moment now();

    /** Runs {@code task} on the loop thread, after those given before. False, and no run, after {@link #close}. */
    boolean loop(Runnable task);

    /** Runs {@code task} on the loop thread when the monotonic clock reaches {@code nanos}, or soon after. */
    Timer at(long nanos, Runnable task);

    /**
     * Runs {@code call}, which may block, on a thread kept for store calls. False if all of those are busy: a store
     * that hangs must not be given more threads without end.
     */
    boolean store(Runnable call);

    /** Runs {@code callback}, which is somebody else's code and may do anything, on a thread kept for that. */
    void callback(Runnable callback);

    /** Stops taking work. What runs goes on to its end; nothing is interrupted. */
    @Override
    void close();

    /** A timer that can be called off. */
    interface Timer {
        void cancel();
    }
}
