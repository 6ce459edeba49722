package dev.doyen.store.probe;

import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.VersionedLease;
import java.util.HashMap;
import java.util.Map;

/** A correct store in memory. Tests override one method to make it faulty. */
class FakeStore implements LeaseStore {

    final Map<String, VersionedLease> leases = new HashMap<>();
    private long revisions;

    @Override
    public VersionedLease read(String election) {
        synchronized (leases) {
            return leases.getOrDefault(election, VersionedLease.ABSENT);
        }
    }

    @Override
    public CasOutcome compareAndSet(String election, LeaseVersion expected, LeaseRecord next) {
        synchronized (leases) {
            VersionedLease current = leases.getOrDefault(election, VersionedLease.ABSENT);
            return accepts(current, expected, next) ? write(next) : new CasOutcome.Conflict(shown(current));
        }
    }

    boolean accepts(VersionedLease current, LeaseVersion expected, LeaseRecord next) {
        return current.version().equals(expected);
    }

    VersionedLease shown(VersionedLease current) {
        return current;
    }

    LeaseVersion version(LeaseRecord next) {
        return LeaseVersion.of(++revisions);
    }

    final CasOutcome write(LeaseRecord next) {
        synchronized (leases) {
            LeaseVersion version = version(next);
            leases.put(next.election(), VersionedLease.of(version, next));
            return new CasOutcome.Written(version);
        }
    }

    @Override
    public LeaseStore.Promises promises() {
        return new LeaseStore.Promises(false, false, "one test");
    }

    @Override
    public void close() {}
}
