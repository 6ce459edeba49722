package dev.doyen.stores.local;

import dev.doyen.log.FaultLog;
import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.VersionedLease;
import dev.doyen.store.support.LeaseWatchers;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Stores leases in the memory of this JVM.
 *
 * <p>Use this store for tests, and for threads that compete in one process. The terms are lost when the process ends.
 *
 * <p>Threads: any. Calls block only for the short critical section of a write. Watchers run on the thread that
 * writes.
 */
public final class MemoryLeaseStore implements LeaseStore {

    private static final Map<String, MemoryLeaseStore> SHARED = new ConcurrentHashMap<>();

    private final Map<String, VersionedLease> leases;
    private final Floor floor;
    private final LeaseWatchers watchers;

    /** The watches of this store object. Other store objects with the same leases have their own watches. */
    private final Set<Watch> watches = ConcurrentHashMap.newKeySet();

    public MemoryLeaseStore() {
        this(new ConcurrentHashMap<>(), new Floor(), new LeaseWatchers(new FaultLog(System.getLogger("dev.doyen"))));
    }

    private MemoryLeaseStore(Map<String, VersionedLease> leases, Floor floor, LeaseWatchers watchers) {
        this.leases = leases;
        this.floor = floor;
        this.watchers = watchers;
    }

    /** Opens {@code memory:NAME}. All stores with the same name share their leases, which exist until the JVM ends. */
    static MemoryLeaseStore open(String name) {
        MemoryLeaseStore shared = SHARED.computeIfAbsent(name, n -> new MemoryLeaseStore());
        return new MemoryLeaseStore(shared.leases, shared.floor, shared.watchers);
    }

    @Override
    public VersionedLease read(String election) {
        VersionedLease found = leases.get(election);
        // Read the floor after the record. So the floor covers each deletion that this read has noticed.
        return found == null ? floor.present.absent() : found;
    }

    @Override
    public CasOutcome compareAndSet(String election, LeaseVersion expected, LeaseRecord next) {
        var outcome = new CasOutcome[1];
        leases.compute(election, (name, stored) -> {
            DeletionFloor deleted = floor.present;
            VersionedLease current = stored == null ? deleted.absent() : stored;
            if (!current.version().equals(expected) || (stored == null && !deleted.permits(next))) {
                outcome[0] = new CasOutcome.Conflict(current);
                return stored;
            }
            VersionedLease written = VersionedLease.of(LeaseVersion.of(deleted.revisionAfter(expected)), next);
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
    public int prune(Instant before, Instant savedBefore) {
        int[] deleted = {0};
        for (String election : leases.keySet()) {
            leases.computeIfPresent(election, (name, stored) -> {
                if (stored.record()
                        .filter(each -> each.mayBeDeleted(before, savedBefore))
                        .isEmpty()) {
                    return stored;
                }
                floor.raiseBy(stored);
                deleted[0]++;
                return null;
            });
        }
        return deleted[0];
    }

    @Override
    public LeaseStore.Promises promises() {
        return new LeaseStore.Promises(false, true, "one JVM");
    }

    /** Ends the watches of this store object. The leases remain for the other store objects with the same name. */
    @Override
    public void close() {
        List.copyOf(watches).forEach(Watch::close);
    }

    /** The deletion floor that all store objects with the same leases share. */
    private static final class Floor {
        volatile DeletionFloor present = DeletionFloor.NONE;

        synchronized void raiseBy(VersionedLease deleted) {
            present = present.raisedBy(deleted);
        }
    }
}
