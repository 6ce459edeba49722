package dev.doyen.spring;

import dev.doyen.store.CasOutcome;
import dev.doyen.store.ForwardingLeaseStore;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.VersionedLease;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Forwards calls to a store, and measures how long that store has not answered.
 *
 * <p>This class makes no additional calls. The calls of the elections suffice, because elections call the store many
 * times per ttl.
 */
final class StoreAnswers extends ForwardingLeaseStore {

    private final LongSupplier nanos;
    private final boolean closes;
    private volatile OptionalLong silentSince = OptionalLong.empty();

    /**
     * @param closes true if closing this store also closes the wrapped store; false for a bean, which the context
     *     closes
     */
    StoreAnswers(LeaseStore behind, LongSupplier nanos, boolean closes) {
        super(behind);
        this.nanos = nanos;
        this.closes = closes;
    }

    /**
     * Returns the time for which all calls have failed. The result is empty if the last call was answered, or if no
     * call was made.
     */
    Optional<Duration> silentFor() {
        OptionalLong since = silentSince;
        return since.isPresent()
                ? Optional.of(Duration.ofNanos(nanos.getAsLong() - since.getAsLong()))
                : Optional.empty();
    }

    @Override
    public VersionedLease read(String election) {
        return noting(() -> behind().read(election), found -> true);
    }

    @Override
    public Map<String, VersionedLease> readAll(Collection<String> elections) {
        return noting(() -> behind().readAll(elections), found -> true);
    }

    @Override
    public CasOutcome compareAndSet(String election, LeaseVersion expected, LeaseRecord next) {
        return noting(() -> behind().compareAndSet(election, expected, next), StoreAnswers::isKnown);
    }

    @Override
    public List<CasOutcome> compareAndSetAll(List<LeaseStore.Write> writes) {
        return noting(
                () -> behind().compareAndSetAll(writes),
                outcomes -> outcomes.stream().anyMatch(StoreAnswers::isKnown));
    }

    @Override
    public void close() {
        if (closes) {
            super.close();
        }
    }

    private static boolean isKnown(CasOutcome outcome) {
        return !(outcome instanceof CasOutcome.Unknown);
    }

    /**
     * Makes a call, and notes whether the store has answered it. A call that throws an exception was not answered.
     *
     * @param isAnswer the condition on the result of an answered call
     */
    private <T> T noting(Supplier<T> call, Predicate<T> isAnswer) {
        boolean answered = false;
        try {
            T result = call.get();
            answered = isAnswer.test(result);
            return result;
        } finally {
            note(answered);
        }
    }

    private synchronized void note(boolean answered) {
        if (answered) {
            silentSince = OptionalLong.empty();
        } else if (silentSince.isEmpty()) {
            silentSince = OptionalLong.of(nanos.getAsLong());
        }
    }
}
