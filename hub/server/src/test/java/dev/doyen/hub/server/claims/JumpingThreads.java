package dev.doyen.hub.server.claims;

import dev.doyen.driver.SystemThreads;
import dev.doyen.election.Threads;
import dev.doyen.event.Moment;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** Real threads whose clocks a test sets forward. A jump does not affect a timer that is already set. */
final class JumpingThreads implements Threads {

    private final SystemThreads threads = new SystemThreads("jumping");
    private final AtomicLong aheadMillis = new AtomicLong();

    void jump(Duration by) {
        aheadMillis.addAndGet(by.toMillis());
    }

    @Override
    public Moment now() {
        Moment now = threads.now();
        long ahead = aheadMillis.get();
        return new Moment(now.nanos() + ahead * 1_000_000, now.wallMillis() + ahead);
    }

    @Override
    public boolean loop(Runnable task) {
        return threads.loop(task);
    }

    @Override
    public Timer at(long nanos, Runnable task) {
        return threads.at(nanos - aheadMillis.get() * 1_000_000, task);
    }

    @Override
    public boolean store(Runnable call) {
        return threads.store(call);
    }

    @Override
    public void callback(Runnable callback) {
        threads.callback(callback);
    }

    @Override
    public void close() {
        threads.close();
    }
}
