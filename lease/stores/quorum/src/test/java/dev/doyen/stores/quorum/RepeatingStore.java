package dev.doyen.stores.quorum;

import dev.doyen.store.CasOutcome;
import dev.doyen.store.ForwardingLeaseStore;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.VersionedLease;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Repeats a write of unknown outcome. On a busy machine the leader of the log can step down. The outcome of each pending
 * write is then unknown, which the store contract does not expect.
 */
final class RepeatingStore extends ForwardingLeaseStore {

    private static final int REPETITIONS = 20;

    RepeatingStore(LeaseStore behind) {
        super(behind);
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
        return repeated(new LeaseStore.Write(expected, next), behind().compareAndSet(election, expected, next));
    }

    @Override
    public List<CasOutcome> compareAndSetAll(List<LeaseStore.Write> writes) {
        List<CasOutcome> firsts = behind().compareAndSetAll(writes);
        var outcomes = new ArrayList<CasOutcome>();
        for (int i = 0; i < firsts.size(); i++) {
            outcomes.add(repeated(writes.get(i), firsts.get(i)));
        }
        return outcomes;
    }

    /** Repeats the write. If an earlier attempt has stored the record, the next attempt conflicts with this record. */
    private CasOutcome repeated(LeaseStore.Write write, CasOutcome first) {
        CasOutcome outcome = first;
        for (int i = 0; i < REPETITIONS && outcome instanceof CasOutcome.Unknown; i++) {
            outcome = behind().compareAndSet(write.next().election(), write.expected(), write.next());
        }
        if (first instanceof CasOutcome.Unknown
                && outcome instanceof CasOutcome.Conflict conflict
                && conflict.current().record().equals(Optional.of(write.next()))) {
            return new CasOutcome.Written(conflict.current().version());
        }
        return outcome;
    }
}
