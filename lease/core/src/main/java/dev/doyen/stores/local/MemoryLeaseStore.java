package dev.doyen.stores.local;

import dev.doyen.log.FaultLog;
import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.StorePromises;
import dev.doyen.store.VersionedLease;
import dev.doyen.store.support.LeaseWatchers;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Keeps leases in the memory of this JVM.
 *
 * <p>It is meant for tests, and for threads that compete in one process.
 *
 * <p>Terms are lost when the process ends.
 *
 * <p>Threads: any. Calls block only for the short critical section of a write. Watchers run on the thread that writes.
 */
public final class MemoryLeaseStore implements LeaseStore {

    private static final Map<String, MemoryLeaseStore> SHARED = new ConcurrentHashMap<>();

    private final Map<String, VersionedLease> leases;
    private final LeaseWatchers watchers;

    /** The watches of this opening. Other openings of the same leases have their own. */
    private final Set<Watch> watches = ConcurrentHashMap.newKeySet();

    public MemoryLeaseStore() {
        this(new ConcurrentHashMap<>(), new LeaseWatchers(new FaultLog(System.getLogger("dev.doyen"))));
    }

    private MemoryLeaseStore(Map<String, VersionedLease> leases, LeaseWatchers watchers) {
        this.leases = leases;
        this.watchers = watchers;
    }

    /** Opens {@code memory:NAME}. All openings of a name share its leases, which live as long as the JVM. */
    static MemoryLeaseStore open(String name) {
        MemoryLeaseStore shared = SHARED.computeIfAbsent(name, n -> new MemoryLeaseStore());
        return new MemoryLeaseStore(shared.leases, shared.watchers);
    }

    @Override
    public VersionedLease read(String election) {
        return leases.getOrDefault(election, VersionedLease.ABSENT);
    }

    @Override
    public CasOutcome compareAndSet(String election, LeaseVersion expected, LeaseRecord next) {
        var outcome = new CasOutcome[1];
        leases.compute(election, (name, stored) -> {
            VersionedLease current = stored == null ? VersionedLease.ABSENT : stored;
            if (!current.version().equals(expected)) {
                outcome[0] = new CasOutcome.Conflict(current);
                return stored;
            }
            long revision = expected.isAbsent() ? 1 : Long.parseLong(expected.value()) + 1;
            VersionedLease written = VersionedLease.of(LeaseVersion.of(revision), next);
            outcome[0] = new CasOutcome.Written(written.version());
            return written;
        });
        if (outcome[0] instanceof CasOutcome.Written) {
            watchers.announce(election);
        }
        return outcome[0];
    }

    @Override
    public Optional<Watch> watch(String election, Runnable changed) {
        var watch = new Watch() {
            private final Watch added = watchers.add(election, changed);

            @Override
            public void close() {
                watches.remove(this);
                added.close();
            }
        };
        watches.add(watch);
        return Optional.of(watch);
    }

    @Override
    public StorePromises promises() {
        return new StorePromises(false, true, "one JVM");
    }

    /** Ends the watches of this opening. The leases stay for the other users of this store. */
    @Override
    public void close() {
        List.copyOf(watches).forEach(Watch::close);
    }
}
