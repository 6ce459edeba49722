package dev.doyen.candidate;

import dev.doyen.election.Threads;
import dev.doyen.event.Moment;
import java.util.ArrayDeque;
import java.util.Deque;

/** Runs loop tasks on the thread of the test. Callbacks wait until the test runs them. */
final class HeldCallbacks implements Threads {
    private final Deque<Runnable> callbacks = new ArrayDeque<>();

    void runCallbacks() {
        while (!callbacks.isEmpty()) {
            callbacks.remove().run();
        }
    }

    boolean isWaiting() {
        return !callbacks.isEmpty();
    }

    @Override
    public boolean loop(Runnable task) {
        task.run();
        return true;
    }

    @Override
    public void callback(Runnable callback) {
        callbacks.add(callback);
    }

    @Override
    public Moment now() {
        throw new UnsupportedOperationException();
    }

    @Override
    public Timer at(long nanos, Runnable task) {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean store(Runnable call) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void close() {}
}
