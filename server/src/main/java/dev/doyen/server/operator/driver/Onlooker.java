package dev.doyen.server.operator.driver;

import dev.doyen.server.operator.Look;
import dev.doyen.server.operator.Sighting;
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
 * Looks at an election again and again: when the store announces a change, and now and then.
 *
 * <p>Threads: one.
 */
public final class Onlooker implements AutoCloseable {

    private static final Duration LEAST_PAUSE = Duration.ofMillis(20);
    private static final Duration MOST_PAUSE = Duration.ofSeconds(1);

    private final LeaseStore store;
    private final String election;
    private final Semaphore news = new Semaphore(0);
    private final Optional<LeaseStore.Watch> watch;
    private @Nullable Sighting sighting;

    public Onlooker(LeaseStore store, String election) {
        this.store = store;
        this.election = election;
        this.watch = store.watch(election, news::release);
    }

    /** What a command makes of what is seen. */
    public interface Step<T> {
        /** Anything but empty ends the looking. */
        Optional<T> seen(Sighting sighting, long nanos);

        /** The store has not answered; true to go on all the same. */
        default boolean failed(String reason) {
            return false;
        }
    }

    /** Looks once. Throws {@link StoreUnavailableException} if the store does not answer. */
    public Sighting look() {
        var lease = store.read(election);
        var session =
                lease.record().flatMap(LeaseRecord::epoch).map(Epoch::session).map(store::read);
        var look = new Look(lease, session);
        // After the answer: rule L2 counts from its receipt.
        long nanos = System.nanoTime();
        sighting = sighting == null ? Sighting.first(look, nanos) : sighting.then(look, nanos);
        return sighting;
    }

    /** Looks until {@code step} is satisfied, at least once, and for at most {@code patience}; empty if it never was. */
    public <T> Optional<T> follow(Duration patience, Step<T> step) throws InterruptedException {
        long begun = System.nanoTime();
        while (true) {
            news.drainPermits();
            var found = lookFor(step);
            if (found.isPresent()) {
                return found;
            }
            var left = patience.minusNanos(System.nanoTime() - begun);
            if (left.isNegative() || left.isZero()) {
                return Optional.empty();
            }
            var pause = left.compareTo(pause()) < 0 ? left : pause();
            // Announced or not, the next look tells.
            news.tryAcquire(pause.toNanos(), TimeUnit.NANOSECONDS);
        }
    }

    /** What was seen last. Throws {@link IllegalStateException} before the first look. */
    public Sighting latest() {
        if (sighting == null) {
            throw new IllegalStateException("nothing has been looked at yet");
        }
        return sighting;
    }

    @Override
    public void close() {
        watch.ifPresent(LeaseStore.Watch::close);
    }

    private <T> Optional<T> lookFor(Step<T> step) {
        Sighting seen;
        try {
            seen = look();
        } catch (StoreUnavailableException e) {
            if (!step.failed(String.valueOf(e.getMessage()))) {
                throw e;
            }
            return Optional.empty();
        }
        return step.seen(seen, System.nanoTime());
    }

    /** As often as a follower looks: a tenth of the ttl. */
    private Duration pause() {
        var pause = sighting == null ? MOST_PAUSE : sighting.ttl().dividedBy(10);
        if (pause.compareTo(LEAST_PAUSE) < 0) {
            // Without a record there is no ttl to go by; the store's announcements, if any, are quicker anyway.
            return sighting != null && sighting.record().isPresent() ? LEAST_PAUSE : Duration.ofMillis(200);
        }
        return pause.compareTo(MOST_PAUSE) > 0 ? MOST_PAUSE : pause;
    }
}
