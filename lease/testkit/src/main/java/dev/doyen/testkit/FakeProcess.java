package dev.doyen.testkit;

import dev.doyen.Election;
import dev.doyen.LeaseCandidate;
import dev.doyen.LeaseLeadership;
import dev.doyen.LeaseObserver;
import dev.doyen.election.ElectionListener;
import dev.doyen.election.LeaseTiming;
import dev.doyen.election.Threads;
import dev.doyen.event.LossCause;
import dev.doyen.event.Moment;
import dev.doyen.store.LeaseStore;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The simulated process of one participant in a fake election.
 *
 * <p>The process uses the real election and its loop. A test can freeze the threads, stop the monotonic clock, and cut
 * the connection to the store.
 */
final class FakeProcess implements Threads {

    private final VirtualTime time;
    private final FaultyLeaseStore network;
    private final Election election;
    private final Deque<Runnable> whileFrozen = new ArrayDeque<>();
    private @Nullable LeaseObserver member;
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

    LeaseCandidate join(String id) {
        LeaseCandidate candidate = election.join(id);
        member = candidate;
        candidate.listen(new Listener());
        return candidate;
    }

    LeaseObserver observe() {
        LeaseObserver observer = election.observe();
        member = observer;
        return observer;
    }

    Election election() {
        return election;
    }

    FaultyLeaseStore network() {
        return network;
    }

    Optional<LeaseCandidate> candidate() {
        return member instanceof LeaseCandidate candidate ? Optional.of(candidate) : Optional.empty();
    }

    boolean isInJeopardy() {
        return inJeopardy;
    }

    /** Returns the last term of the candidate of this process; 0 before its first term. */
    long lastTerm() {
        return lastTerm;
    }

    /** Freezes the process: all its tasks wait until {@link #thaw}. */
    synchronized void freeze() {
        frozen = true;
    }

    /** Freezes the process, and also stops its monotonic clock, as on a suspended computer. */
    synchronized void sleep() {
        frozen = true;
        asleep = true;
        asleepSinceNanos = time.now().nanos();
    }

    /** Lets the process continue after {@link #freeze} or {@link #sleep}. */
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

    /**
     * A timer of the loop. A cancelled timer does not run, even if it became due while the process was frozen.
     */
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

    /** A listener that receives each event before the listeners of the code under test. */
    private final class Listener implements ElectionListener<LeaseLeadership> {
        @Override
        public void elected(LeaseLeadership leadership) {
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
