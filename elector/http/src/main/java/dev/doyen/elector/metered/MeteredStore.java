package dev.doyen.elector.metered;

import dev.doyen.store.CasOutcome;
import dev.doyen.store.ForwardingLeaseStore;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.StoreUnavailableException;
import dev.doyen.store.VersionedLease;
import java.time.Instant;
import java.util.Optional;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** Records the time of a store's last answer, and the durations of its calls. Threads: any. */
public final class MeteredStore extends ForwardingLeaseStore {

    private final LongConsumer found;
    private final LongConsumer wrote;
    private final Runnable failed;
    private volatile @Nullable Instant answeredAt;

    /**
     * Wraps a store.
     *
     * @param found the function that receives the duration of each answered read, in nanoseconds
     * @param wrote the function that receives the duration of each answered write, in nanoseconds
     * @param failed the function that is called after each call without a usable answer
     */
    public MeteredStore(LeaseStore store, LongConsumer found, LongConsumer wrote, Runnable failed) {
        super(store);
        this.found = found;
        this.wrote = wrote;
        this.failed = failed;
    }

    /** Returns the wall-clock time of the last answer; empty before the first answer. */
    public Optional<Instant> answeredAt() {
        return Optional.ofNullable(answeredAt);
    }

    @Override
    public VersionedLease read(String election) {
        long begun = System.nanoTime();
        try {
            var lease = behind().read(election);
            answeredAt = Instant.now();
            found.accept(System.nanoTime() - begun);
            return lease;
        } catch (StoreUnavailableException e) {
            failed.run();
            throw e;
        }
    }

    @Override
    public CasOutcome compareAndSet(String election, LeaseVersion expected, LeaseRecord next) {
        long begun = System.nanoTime();
        var outcome = behind().compareAndSet(election, expected, next);
        if (outcome instanceof CasOutcome.Unknown) {
            failed.run();
        } else {
            answeredAt = Instant.now();
            wrote.accept(System.nanoTime() - begun);
        }
        return outcome;
    }
}
