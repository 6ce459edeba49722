package dev.doyen.metrics;

import dev.doyen.store.CasOutcome;
import dev.doyen.store.ForwardingLeaseStore;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.VersionedLease;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Measures the reads and writes of another store.
 *
 * <p>Threads and errors are the same as those of the other store. Closing this store also closes the other store.
 */
public class MeasuredStore extends ForwardingLeaseStore {

    private final LongSupplier nanoClock;
    private final Consumer<StoreCall> measured;

    /**
     * Wraps a store.
     *
     * @param nanoClock the clock, such as {@link System#nanoTime}
     * @param measured the function that receives each call after its end, on the thread of the call
     */
    public MeasuredStore(LeaseStore store, LongSupplier nanoClock, Consumer<StoreCall> measured) {
        super(store);
        this.nanoClock = nanoClock;
        this.measured = measured;
    }

    @Override
    public VersionedLease read(String election) {
        return measuredRead(() -> behind().read(election));
    }

    @Override
    public Map<String, VersionedLease> readAll(Collection<String> elections) {
        return measuredRead(() -> behind().readAll(elections));
    }

    @Override
    public CasOutcome compareAndSet(String election, LeaseVersion expected, LeaseRecord next) {
        long start = nanoClock.getAsLong();
        try {
            CasOutcome outcome = behind().compareAndSet(election, expected, next);
            written(next, outcome, since(start));
            return outcome;
        } catch (RuntimeException | Error e) {
            failed(next, e, since(start));
            throw e;
        }
    }

    @Override
    public List<CasOutcome> compareAndSetAll(List<LeaseStore.Write> all) {
        long start = nanoClock.getAsLong();
        try {
            List<CasOutcome> outcomes = behind().compareAndSetAll(all);
            long nanos = since(start);
            for (int i = 0; i < all.size(); i++) {
                written(all.get(i).next(), outcomes.get(i), nanos);
            }
            return outcomes;
        } catch (RuntimeException | Error e) {
            long nanos = since(start);
            all.forEach(write -> failed(write.next(), e, nanos));
            throw e;
        }
    }

    private <T> T measuredRead(Supplier<T> read) {
        long start = nanoClock.getAsLong();
        try {
            T found = read.get();
            report(StoreOperation.READ, StoreOutcome.ANSWERED, false, Optional.empty(), since(start));
            return found;
        } catch (RuntimeException | Error e) {
            var kind = Optional.of(StoreErrorKind.of(e));
            report(StoreOperation.READ, StoreOutcome.FAILED, false, kind, since(start));
            throw e;
        }
    }

    private void written(LeaseRecord next, CasOutcome outcome, long nanos) {
        report(
                StoreOperation.COMPARE_AND_SET,
                StoreOutcome.of(outcome),
                isRenewal(next),
                StoreErrorKind.of(outcome),
                nanos);
    }

    private void failed(LeaseRecord next, Throwable thrown, long nanos) {
        var kind = Optional.of(StoreErrorKind.of(thrown));
        report(StoreOperation.COMPARE_AND_SET, StoreOutcome.FAILED, isRenewal(next), kind, nanos);
    }

    private void report(
            StoreOperation operation,
            StoreOutcome outcome,
            boolean isRenewal,
            Optional<StoreErrorKind> error,
            long nanos) {
        measured.accept(new StoreCall(operation, outcome, isRenewal, error, nanos));
    }

    /**
     * Returns true if the holder renews its lease with this record.
     *
     * <p>In the record that acquires a lease, the times of the acquisition and the renewal are equal. In a renewal they
     * differ. A record with notes of another process contains the nonce of the holder.
     */
    private static boolean isRenewal(LeaseRecord next) {
        return next.isHeld()
                && next.holdersNonce().isEmpty()
                && !next.renewedAt().equals(next.acquiredAt());
    }

    private long since(long start) {
        return nanoClock.getAsLong() - start;
    }
}
