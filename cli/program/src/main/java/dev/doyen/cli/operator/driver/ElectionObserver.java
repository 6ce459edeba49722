package dev.doyen.cli.operator.driver;

import dev.doyen.cli.operator.ElectionSnapshot;
import dev.doyen.cli.operator.ObservedElection;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.StoreUnavailableException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Reads an election at regular intervals and each time the store announces a change.
 *
 * <p>Threads: one.
 */
public final class ElectionObserver implements AutoCloseable {

    private static final Duration LEAST_PAUSE = Duration.ofMillis(20);
    private static final Duration MOST_PAUSE = Duration.ofSeconds(1);

    private final LeaseStore store;
    private final String election;
    private final Semaphore changes = new Semaphore(0);
    private final Optional<LeaseStore.Watch> watch;
    private @Nullable ObservedElection observed;

    public ElectionObserver(LeaseStore store, String election) {
        this.store = store;
        this.election = election;
        this.watch = store.watch(election, changes::release);
    }

    /** The part of a command that evaluates each read. */
    public interface Step<T> {
        /** Evaluates a read. A non-empty result ends the loop. */
        Optional<T> seen(ObservedElection observed, long nanos);

        /** Handles a read that the store has not answered. Returns true to continue the loop. */
        default boolean failed(String reason) {
            return false;
        }
    }

    /**
     * Reads the election once.
     *
     * @throws StoreUnavailableException if the store does not answer
     */
    public ObservedElection snapshot() {
        var lease = store.read(election);
        var session = lease.record()
                .flatMap(LeaseRecord::epoch)
                .map(LeaseRecord.Epoch::session)
                .map(store::read);
        var snapshot = new ElectionSnapshot(lease, session);
        // The clock is read after the answer, because rule L2 counts from the receipt of the answer.
        long nanos = System.nanoTime();
        observed = observed == null ? ObservedElection.first(snapshot, nanos) : observed.then(snapshot, nanos);
        return observed;
    }

    /**
     * Reads repeatedly, and at least once, until {@code step} returns a result. If {@code step} returns no result
     * within {@code maxWait}, this method returns empty.
     *
     * @throws StoreUnavailableException if the store does not answer and {@link Step#failed} returns false
     */
    public <T> Optional<T> follow(Duration maxWait, Step<T> step) throws InterruptedException {
        long begun = System.nanoTime();
        while (true) {
            changes.drainPermits();
            var found = readUntil(step);
            if (found.isPresent()) {
                return found;
            }
            var left = maxWait.minusNanos(System.nanoTime() - begun);
            if (left.isNegative() || left.isZero()) {
                return Optional.empty();
            }
            var pause = left.compareTo(pause()) < 0 ? left : pause();
            // An announcement ends the pause early. The next read follows in any case.
            changes.tryAcquire(pause.toNanos(), TimeUnit.NANOSECONDS);
        }
    }

    /**
     * Returns the state after the latest read.
     *
     * @throws IllegalStateException before the first read
     */
    public ObservedElection latest() {
        if (observed == null) {
            throw new IllegalStateException("nothing has been read yet");
        }
        return observed;
    }

    @Override
    public void close() {
        watch.ifPresent(LeaseStore.Watch::close);
    }

    private <T> Optional<T> readUntil(Step<T> step) {
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

    /**
     * Returns the time until the next read.
     *
     * <p>The observer reads ten times per ttl, like a follower whose store announces no changes. The time is at least
     * 20 ms and at most 1 s.
     */
    private Duration pause() {
        var pause = observed == null ? MOST_PAUSE : observed.ttl().dividedBy(10);
        if (pause.compareTo(LEAST_PAUSE) < 0) {
            // An election without a record has no ttl, so the observer reads it every 200 ms. If the store announces
            // changes, an announcement ends this pause early.
            return observed != null && observed.record().isPresent() ? LEAST_PAUSE : Duration.ofMillis(200);
        }
        return pause.compareTo(MOST_PAUSE) > 0 ? MOST_PAUSE : pause;
    }
}
