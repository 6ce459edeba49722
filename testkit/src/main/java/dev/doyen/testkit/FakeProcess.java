package dev.doyen.testkit;

import dev.doyen.Candidate;
import dev.doyen.Election;
import dev.doyen.ElectionListener;
import dev.doyen.Leadership;
import dev.doyen.Observer;
import dev.doyen.driver.Threads;
import dev.doyen.event.LossCause;
import dev.doyen.event.Moment;
import dev.doyen.lease.LeaseTiming;
import dev.doyen.store.LeaseStore;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The process that one member of a fake election seems to run in: real election, real loop, but threads that can be
 * frozen, a monotonic clock that can be put to sleep, and a way to the store that can be cut.
 */
final class FakeProcess implements Threads {

    private final VirtualTime time;
    private final FaultyLeaseStore network;
    private final Election election;
    private final Deque<Runnable> whileFrozen = new ArrayDeque<>();
    private @Nullable Observer member;
    private boolean frozen;
    private boolean closed;
    private boolean asleep;
    private long asleepSinceNanos;
    private long sleptNanos;
    private volatile boolean inJeopardy;
    private volatile long lastTerm;

    FakeProcess(String name, VirtualTime time, LeaseStore store, LeaseTiming timing, long seed) {
        this.time = time;
        this.network = new FaultyLeaseStore(store);
        this.election = Election.lease(name)
                .store(network)
                .timing(timing)
                .threads(this, () -> seed)
                .open();
    }

    Candidate join(String id) {
        Candidate candidate = election.join(id);
        member = candidate;
        candidate.listen(new Ear());
        return candidate;
    }

    Observer observe() {
        Observer observer = election.observe();
        member = observer;
        return observer;
    }

    Election election() {
        return election;
    }

    FaultyLeaseStore network() {
        return network;
    }

    Optional<Candidate> candidate() {
        return member instanceof Candidate candidate ? Optional.of(candidate) : Optional.empty();
    }

    boolean isInJeopardy() {
        return inJeopardy;
    }

    /** The term of its last election; 0 before the first. */
    long lastTerm() {
        return lastTerm;
    }

    /** From now on nothing in it runs; what would have run waits for {@link #thaw}. */
    synchronized void freeze() {
        frozen = true;
    }

    /** The same, and its monotonic clock stands still: the machine sleeps, not only the process. */
    synchronized void sleep() {
        frozen = true;
        asleep = true;
        asleepSinceNanos = time.now().nanos();
    }

    /** It goes on, from {@link #freeze} or {@link #sleep}. */
    void thaw() {
        Deque<Runnable> missed;
        synchronized (this) {
            frozen = false;
            if (asleep) {
                asleep = false;
                sleptNanos += time.now().nanos() - asleepSinceNanos;
            }
            missed = new ArrayDeque<>(whileFrozen);
            whileFrozen.clear();
        }
        missed.forEach(Runnable::run);
        time.settle();
    }

    @Override
    public synchronized Moment now() {
        Moment now = time.now();
        long running = asleep ? asleepSinceNanos : now.nanos();
        return new Moment(running - sleptNanos, now.wallMillis());
    }

    @Override
    public boolean loop(Runnable task) {
        return take(false, task);
    }

    @Override
    public Timer at(long nanos, Runnable task) {
        if (nanos == Long.MAX_VALUE) {
            return () -> {};
        }
        var due = new Due(task);
        long slept;
        synchronized (this) {
            slept = sleptNanos;
        }
        due.timer = time.at(nanos + slept, () -> take(false, due));
        return due;
    }

    @Override
    public boolean store(Runnable call) {
        return take(false, call);
    }

    @Override
    public void callback(Runnable callback) {
        take(true, callback);
    }

    @Override
    public synchronized void close() {
        closed = true;
        whileFrozen.clear();
    }

    private boolean take(boolean isCallback, Runnable work) {
        synchronized (this) {
            if (closed) {
                return false;
            }
            if (frozen) {
                whileFrozen.add(() -> time.run(isCallback, work));
                return true;
            }
        }
        time.run(isCallback, work);
        return true;
    }

    /** A timer of the loop's; one that was called off does not run, though it may have fallen due in the frost. */
    private static final class Due implements Runnable, Timer {
        private final Runnable task;
        private VirtualTime.@Nullable Timer timer;
        private volatile boolean cancelled;

        Due(Runnable task) {
            this.task = task;
        }

        @Override
        public void run() {
            if (!cancelled) {
                task.run();
            }
        }

        @Override
        public void cancel() {
            cancelled = true;
            if (timer != null) {
                timer.cancel();
            }
        }
    }

    /** Hears before the code under test does. */
    private final class Ear implements ElectionListener {
        @Override
        public void elected(Leadership leadership) {
            lastTerm = leadership.term();
            inJeopardy = false;
        }

        @Override
        public void jeopardy(Duration remaining, String reason) {
            inJeopardy = true;
        }

        @Override
        public void recovered() {
            inJeopardy = false;
        }

        @Override
        public void lost(LossCause cause) {
            inJeopardy = false;
        }
    }
}
