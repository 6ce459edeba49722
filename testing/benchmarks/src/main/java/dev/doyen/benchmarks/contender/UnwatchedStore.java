package dev.doyen.benchmarks.contender;

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

/**
 * A store that supports no watch, like many databases and object stores. The results with this store show the effect of
 * polling alone.
 */
final class UnwatchedStore extends ForwardingLeaseStore {

    UnwatchedStore(LeaseStore store) {
        super(store);
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
    public List<CasOutcome> compareAndSetAll(List<LeaseStore.Write> writes) {
        return behind().compareAndSetAll(writes);
    }

    @Override
    public Optional<Watch> watch(String election, Runnable changed) {
        return Optional.empty();
    }
}
