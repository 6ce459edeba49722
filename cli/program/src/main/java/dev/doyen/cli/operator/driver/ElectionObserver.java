package dev.doyen.cli.operator.driver;

import dev.doyen.cli.operator.ElectionSnapshot;
import dev.doyen.cli.operator.ObservedElection;
import dev.doyen.store.Epoch;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.StoreUnavailableException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Reads an election repeatedly: when the store announces a change, and at regular intervals.
 *
 * <p>Threads: one.
 */
public final class ElectionObserver implements AutoCloseable {

    private static final Duration LEAST_PAUSE = Duration.ofMillis(20);
    private static final Duration MOST_PAUSE = Duration.ofSeconds(1);

    private final LeaseStore store;
    private final String election;
    private final Semaphore news = new Semaphore(0);
    private final Optional<LeaseStore.Watch> watch;
    private @Nullable ObservedElection observed;

    public ElectionObserver(LeaseStore store, String election) {
        this.store = store;
        this.election = election;
        this.watch = store.watch(election, news::release);
    }

    /** Evaluates each read on behalf of a command. */
    public interface Step<T> {
        /** Evaluates a read; a present result ends the loop. */
        Optional<T> seen(ObservedElection observed, long nanos);

        /** The store has not answered; returns true to continue. */
        default boolean failed(String reason) {
            return false;
        }
    }

    /**
     * Reads once.
     *
     * @throws StoreUnavailableException if the store does not answer
     */
    public ObservedElection snapshot() {
        var lease = store.read(election);
        var session =
                lease.record().flatMap(LeaseRecord::epoch).map(Epoch::session).map(store::read);
        var snapshot = new ElectionSnapshot(lease, session);
        // Taken after the answer, because rule L2 counts from its receipt.
        long nanos = System.nanoTime();
        observed = observed == null ? ObservedElection.first(snapshot, nanos) : observed.then(snapshot, nanos);
        return observed;
    }

    /** Reads at least once, until {@code step} returns a result or {@code maxWait} has passed; then empty. */
    public <T> Optional<T> follow(Duration maxWait, Step<T> step) throws InterruptedException {
        long begun = System.nanoTime();
        while (true) {
            news.drainPermits();
            var found = lookFor(step);
            if (found.isPresent()) {
                return found;
            }
            var left = maxWait.minusNanos(System.nanoTime() - begun);
            if (left.isNegative() || left.isZero()) {
                return Optional.empty();
            }
            var pause = left.compareTo(pause()) < 0 ? left : pause();
            // The next read follows with or without an announcement.
            news.tryAcquire(pause.toNanos(), TimeUnit.NANOSECONDS);
        }
    }

    /**
     * The latest state.
     *
     * @throws IllegalStateException before the first read
     */
    public ObservedElection latest() {
        if (observed == null) {
            throw new IllegalStateException("nothing has been looked at yet");
        }
        return observed;
    }

    @Override
    public void close() {
        watch.ifPresent(LeaseStore.Watch::close);
    }

    private <T> Optional<T> lookFor(Step<T> step) {
        ObservedElection seen;
        try {
            seen = snapshot();
        } catch (StoreUnavailableException e) {
            if (!step.failed(String.valueOf(e.getMessage()))) {
                throw e;
            }
            return Optional.empty();
        }
        return step.seen(seen, System.nanoTime());
    }

    /** The interval of a follower: a tenth of the ttl. */
    private Duration pause() {
        var pause = observed == null ? MOST_PAUSE : observed.ttl().dividedBy(10);
        if (pause.compareTo(LEAST_PAUSE) < 0) {
            // Without a record there is no ttl. If the store announces changes, the announcement comes earlier anyway.
            return observed != null && observed.record().isPresent() ? LEAST_PAUSE : Duration.ofMillis(200);
        }
        return pause.compareTo(MOST_PAUSE) > 0 ? MOST_PAUSE : pause;
    }
}
