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
 * A subscription that stores only the latest state for its subscriber.
 *
 * <p>Threads: any thread may deliver signals, one at a time. Source: Reactive Streams 1.0.4, sections 1 and 3.
 */
final class LatestState implements Flow.Subscription {

    private static final System.Logger LOG = System.getLogger(LatestState.class.getName());

    private final Flow.Subscriber<? super LeaderState> subscriber;
    private final Set<LatestState> subscribed;
    private final AtomicReference<@Nullable LeaderState> waiting = new AtomicReference<>();
    private final AtomicLong demand = new AtomicLong();

    /**
     * The number of calls of {@link #signal} that are due. The initial 1 prevents a signal before {@code onSubscribe}
     * has returned.
     */
    private final AtomicInteger rounds = new AtomicInteger(1);

    private @Nullable LeaderState last;
    private volatile boolean cancelled;
    private volatile boolean completed;
    private volatile @Nullable RuntimeException fault;
    private boolean over;

    /**
     * @param subscribed the set of present subscriptions, which contains this subscription from {@link #begin} until
     *     its end
     */
    LatestState(Flow.Subscriber<? super LeaderState> subscriber, Set<LatestState> subscribed) {
        this.subscriber = subscriber;
        this.subscribed = subscribed;
    }

    /**
     * Starts the subscription. No signal precedes {@code onSubscribe}. Exceptions of {@code onSubscribe} are passed
     * to the caller.
     */
    void begin() {
        // The subscription is added before onSubscribe, because the subscriber can cancel in onSubscribe.
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
            demand.accumulateAndGet(more, (now, given) -> now + given < 0 ? Long.MAX_VALUE : now + given);
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
     * <p>While one thread runs this method, other threads only increment the counter {@code rounds}. The running thread
     * then delivers their signals too. Therefore only one thread at a time sends signals.
     */
    private void signalAll() {
        int seen = 1;
        while (seen > 0) {
            try {
                signal();
            } catch (Throwable e) {
                // This method must not throw (rule 2.13 of Reactive Streams). A subscriber that throws receives no
                // further signals. All other subscribers still receive signals.
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
            // A log appender can throw too. The exception is ignored, because the other subscribers must still receive
            // signals.
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
        } else if (demand.get() > 0 && waiting.get() != null) {
            LeaderState state = waiting.getAndSet(null);
            if (state != null && !state.equals(last)) {
                last = state;
                demand.decrementAndGet();
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
