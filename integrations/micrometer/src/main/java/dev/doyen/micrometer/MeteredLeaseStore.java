package dev.doyen.micrometer;

import dev.doyen.metrics.MeasuredStore;
import dev.doyen.store.CasOutcome;
import dev.doyen.store.ForwardingLeaseStore;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.VersionedLease;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * Measures the reads and writes of another store. The meters are tagged with the outcome of the call, and the errors
 * with their kind.
 *
 * <p>Writes that renew a lease are also measured separately. If a call contains several writes, the duration of the
 * call is recorded once for each write of the call.
 *
 * <p>The election is not a tag, because a hub can have any number of elections.
 *
 * <p>Threads and errors are the same as those of the other store. Closing this store also closes the other store.
 */
public final class MeteredLeaseStore extends ForwardingLeaseStore {

    public MeteredLeaseStore(LeaseStore store, MeterRegistry registry) {
        super(new MeasuredStore(store, registry.config().clock()::monotonicTime, new StoreMeters(registry)::count));
    }

    @Override
    public VersionedLease read(String election) {
        return behind().read(election);
    }

    @Override
    public Map<String, VersionedLease> readAll(Collection<String> elections) {
        return behind().readAll(elections);
    }

    @Override
    public CasOutcome compareAndSet(String election, LeaseVersion expected, LeaseRecord next) {
        return behind().compareAndSet(election, expected, next);
    }

    @Override
    public List<CasOutcome> compareAndSetAll(List<LeaseStore.Write> all) {
        return behind().compareAndSetAll(all);
    }
}
