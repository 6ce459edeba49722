package dev.doyen.client;

import dev.doyen.client.state.LeaderState;
import java.lang.System.Logger.Level;
import java.util.Set;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A subscription that holds only the latest state for its subscriber.
 *
 * <p>Threads: any thread may deliver signals, one at a time. Source: Reactive Streams 1.0.4, sections 1 and 3.
 */
final class LatestState implements Flow.Subscription {

    private static final System.Logger LOG = System.getLogger(LatestState.class.getName());

    private final Flow.Subscriber<? super LeaderState> subscriber;
    private final Set<LatestState> subscribed;
    private final AtomicReference<@Nullable LeaderState> waiting = new AtomicReference<>();
    private final AtomicLong wanted = new AtomicLong();

    /** Starts at 1, so that no signal comes before {@code onSubscribe} has returned. */
    private final AtomicInteger rounds = new AtomicInteger(1);

    private @Nullable LeaderState last;
    private volatile boolean cancelled;
    private volatile boolean completed;
    private volatile @Nullable RuntimeException fault;
    private boolean over;

    /** @param subscribed contains this subscription from {@link #begin} until it ends */
    LatestState(Flow.Subscriber<? super LeaderState> subscriber, Set<LatestState> subscribed) {
        this.subscriber = subscriber;
        this.subscribed = subscribed;
    }

    /** Subscribes. No signal comes before {@code onSubscribe}. Passes on what {@code onSubscribe} throws. */
    void begin() {
        // Before onSubscribe, because the subscriber may cancel there.
        subscribed.add(this);
        try {
            subscriber.onSubscribe(this);
        } catch (Throwable e) {
            cancel();
            throw e;
        }
        signalAll();
    }

    void offer(LeaderState state) {
        waiting.set(state);
        drain();
    }

    void complete() {
        completed = true;
        drain();
    }

    @Override
    public void request(long more) {
        if (more <= 0) {
            fault = new IllegalArgumentException("request (" + more + ") must be positive (rule 3.9)");
        } else {
            wanted.accumulateAndGet(more, (now, given) -> now + given < 0 ? Long.MAX_VALUE : now + given);
        }
        drain();
    }

    @Override
    public void cancel() {
        cancelled = true;
        subscribed.remove(this);
    }

    private void drain() {
        if (rounds.getAndIncrement() == 0) {
            signalAll();
        }
    }

    /**
     * Delivers all pending signals.
     *
     * <p>Other threads only raise the counter meanwhile, and this thread then runs another round. So only one thread
     * signals at a time.
     */
    private void signalAll() {
        int seen = 1;
        while (seen > 0) {
            try {
                signal();
            } catch (Throwable e) {
                // This method must not throw (rule 2.13). A subscriber that throws gets no further signals. The others
                // do.
                end();
                complain(e);
            }
            seen = rounds.addAndGet(-seen);
        }
    }

    private static void complain(Throwable fault) {
        try {
            LOG.log(Level.ERROR, "a subscriber failed", fault);
        } catch (Throwable logFailed) {
            // An appender is foreign code. The other subscribers matter more.
        }
    }

    private void signal() {
        if (over || cancelled) {
            return;
        }
        RuntimeException wrong = fault;
        if (wrong != null) {
            end();
            subscriber.onError(wrong);
        } else if (wanted.get() > 0 && waiting.get() != null) {
            LeaderState state = waiting.getAndSet(null);
            if (state != null && !state.equals(last)) {
                last = state;
                wanted.decrementAndGet();
                subscriber.onNext(state);
            }
        }
        if (completed && !over && !cancelled) {
            end();
            subscriber.onComplete();
        }
    }

    private void end() {
        over = true;
        subscribed.remove(this);
    }
}
