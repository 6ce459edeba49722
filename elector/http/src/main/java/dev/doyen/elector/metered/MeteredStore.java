package dev.doyen.elector.metered;

import dev.doyen.store.CasOutcome;
import dev.doyen.store.ForwardingLeaseStore;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.VersionedLease;
import java.time.Instant;
import java.util.Optional;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
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
        return metered(() -> behind().read(election), lease -> true, found);
    }

    @Override
    public CasOutcome compareAndSet(String election, LeaseVersion expected, LeaseRecord next) {
        return metered(
                () -> behind().compareAndSet(election, expected, next),
                outcome -> !(outcome instanceof CasOutcome.Unknown),
                wrote);
    }

    /** Makes a call. A call that throws an exception, or whose result is not an answer, has failed. */
    private <T> T metered(Supplier<T> call, Predicate<T> isAnswer, LongConsumer duration) {
        long begun = System.nanoTime();
        boolean answered = false;
        try {
            T result = call.get();
            answered = isAnswer.test(result);
            return result;
        } finally {
            if (answered) {
                answeredAt = Instant.now();
                duration.accept(System.nanoTime() - begun);
            } else {
                failed.run();
            }
        }
    }
}
