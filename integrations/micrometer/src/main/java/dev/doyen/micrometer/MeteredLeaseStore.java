package dev.doyen.micrometer;

import dev.doyen.store.CasOutcome;
import dev.doyen.store.ForwardingLeaseStore;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.LeaseWrite;
import dev.doyen.store.VersionedLease;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Measures the reads and writes of another store. The meters are tagged with the outcome of the call.
 *
 * <p>Writes that renew a lease are also measured separately. If a call contains several writes, the duration of the
 * call is recorded once for each write of the call.
 *
 * <p>The election is not a tag, because a hub can have any number of elections.
 *
 * <p>Threads and errors are the same as those of the other store. Closing this store also closes the other store.
 */
public final class MeteredLeaseStore extends ForwardingLeaseStore {

    private final MeterRegistry registry;
    private final Map<Outcome, Timer> reads = new EnumMap<>(Outcome.class);
    private final Map<Outcome, Timer> writes = new EnumMap<>(Outcome.class);
    private final Map<Outcome, Timer> renewals = new EnumMap<>(Outcome.class);
    private final Map<Outcome, Counter> failures = new EnumMap<>(Outcome.class);

    /** The outcome of a call. {@code FAILED} means that the call threw an exception. */
    private enum Outcome {
        ANSWERED,
        WRITTEN,
        CONFLICT,
        UNKNOWN,
        FAILED;

        String tag() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public MeteredLeaseStore(LeaseStore store, MeterRegistry registry) {
        super(store);
        this.registry = registry;
        // All meters exist from the start, because a monitoring system shows no increase if the first value of a
        // counter is 1.
        for (Outcome outcome : Outcome.values()) {
            if (outcome == Outcome.ANSWERED || outcome == Outcome.FAILED) {
                reads.put(outcome, storeTimer("read", outcome));
            }
            if (outcome != Outcome.ANSWERED) {
                writes.put(outcome, storeTimer("compare_and_set", outcome));
                renewals.put(outcome, renewTimer(outcome));
            }
            if (outcome != Outcome.ANSWERED && outcome != Outcome.WRITTEN) {
                failures.put(outcome, failureCounter(outcome));
            }
        }
    }

    @Override
    public VersionedLease read(String election) {
        return timedRead(() -> behind().read(election));
    }

    @Override
    public Map<String, VersionedLease> readAll(Collection<String> elections) {
        return timedRead(() -> behind().readAll(elections));
    }

    @Override
    public CasOutcome compareAndSet(String election, LeaseVersion expected, LeaseRecord next) {
        long start = now();
        try {
            CasOutcome outcome = behind().compareAndSet(election, expected, next);
            count(next, outcomeOf(outcome), since(start));
            return outcome;
        } catch (RuntimeException | Error e) {
            count(next, Outcome.FAILED, since(start));
            throw e;
        }
    }

    @Override
    public List<CasOutcome> compareAndSetAll(List<LeaseWrite> all) {
        long start = now();
        try {
            List<CasOutcome> outcomes = behind().compareAndSetAll(all);
            Duration took = since(start);
            for (int i = 0; i < all.size(); i++) {
                count(all.get(i).next(), outcomeOf(outcomes.get(i)), took);
            }
            return outcomes;
        } catch (RuntimeException | Error e) {
            Duration took = since(start);
            all.forEach(write -> count(write.next(), Outcome.FAILED, took));
            throw e;
        }
    }

    private <T> T timedRead(Supplier<T> read) {
        long start = now();
        Outcome outcome = Outcome.FAILED;
        try {
            T found = read.get();
            outcome = Outcome.ANSWERED;
            return found;
        } finally {
            record(reads, outcome, since(start));
        }
    }

    private void count(LeaseRecord next, Outcome outcome, Duration took) {
        record(writes, outcome, took);
        if (isRenewal(next)) {
            record(renewals, outcome, took);
            Counter failure = failures.get(outcome);
            if (failure != null) {
                failure.increment();
            }
        }
    }

    /**
     * Returns true if the record renews a lease. In the record that acquires a lease, the times of the acquisition and
     * the renewal are equal. In a renewal they differ.
     */
    private static boolean isRenewal(LeaseRecord next) {
        return next.isHeld() && !next.renewedAt().equals(next.acquiredAt());
    }

    private static Outcome outcomeOf(CasOutcome outcome) {
        if (outcome instanceof CasOutcome.Written) {
            return Outcome.WRITTEN;
        }
        return outcome instanceof CasOutcome.Conflict ? Outcome.CONFLICT : Outcome.UNKNOWN;
    }

    private static void record(Map<Outcome, Timer> timers, Outcome outcome, Duration took) {
        Timer timer = timers.get(outcome);
        if (timer != null) {
            timer.record(took);
        }
    }

    private long now() {
        return registry.config().clock().monotonicTime();
    }

    private Duration since(long start) {
        return Duration.ofNanos(now() - start);
    }

    private Timer storeTimer(String operation, Outcome outcome) {
        return Timer.builder("doyen.store.duration")
                .description("calls of the lease store")
                .tag("operation", operation)
                .tag("outcome", outcome.tag())
                .register(registry);
    }

    private Timer renewTimer(Outcome outcome) {
        return Timer.builder("doyen.renew.duration")
                .description("renewals of held leases")
                .tag("outcome", outcome.tag())
                .serviceLevelObjectives(
                        Duration.ofMillis(5),
                        Duration.ofMillis(25),
                        Duration.ofMillis(100),
                        Duration.ofMillis(500),
                        Duration.ofSeconds(1),
                        Duration.ofSeconds(2),
                        Duration.ofSeconds(5))
                .register(registry);
    }

    private Counter failureCounter(Outcome outcome) {
        return Counter.builder("doyen.renew.failures")
                .description("renewals that were not confirmed")
                .tag("outcome", outcome.tag())
                .register(registry);
    }
}
