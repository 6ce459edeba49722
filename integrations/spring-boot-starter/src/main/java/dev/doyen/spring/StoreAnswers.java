package dev.doyen.spring;

import dev.doyen.store.CasOutcome;
import dev.doyen.store.ForwardingLeaseStore;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.LeaseWrite;
import dev.doyen.store.VersionedLease;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
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
        return noting(() -> behind().read(election));
    }

    @Override
    public Map<String, VersionedLease> readAll(Collection<String> elections) {
        return noting(() -> behind().readAll(elections));
    }

    @Override
    public CasOutcome compareAndSet(String election, LeaseVersion expected, LeaseRecord next) {
        CasOutcome outcome = behind().compareAndSet(election, expected, next);
        note(!(outcome instanceof CasOutcome.Unknown));
        return outcome;
    }

    @Override
    public List<CasOutcome> compareAndSetAll(List<LeaseWrite> writes) {
        List<CasOutcome> outcomes = behind().compareAndSetAll(writes);
        note(outcomes.stream().anyMatch(each -> !(each instanceof CasOutcome.Unknown)));
        return outcomes;
    }

    @Override
    public void close() {
        if (closes) {
            super.close();
        }
    }

    private <T> T noting(Supplier<T> call) {
        boolean answered = false;
        try {
            T answer = call.get();
            answered = true;
            return answer;
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
