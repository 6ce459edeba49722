package dev.doyen.driver;

import dev.doyen.election.Threads;
import dev.doyen.event.Moment;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Threads that run every task immediately, on the thread of the test. These threads reject store calls while {@code
 * busy} is true. Timers never run.
 */
class OneThread implements Threads {
    private final AtomicBoolean busy;

    OneThread(AtomicBoolean busy) {
        this.busy = busy;
    }

    @Override
    public Moment now() {
        return new Moment(0, 0);
    }

    @Override
    public boolean loop(Runnable task) {
        task.run();
        return true;
    }

    @Override
    public Timer at(long nanos, Runnable task) {
        return () -> {};
    }

    @Override
    public boolean store(Runnable call) {
        if (busy.get()) {
            return false;
        }
        call.run();
        return true;
    }

    @Override
    public void callback(Runnable callback) {
        callback.run();
    }

    @Override
    public void close() {}
}
