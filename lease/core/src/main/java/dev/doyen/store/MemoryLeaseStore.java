package dev.doyen.store;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Keeps leases in the memory of this JVM.
 *
 * <p>It is meant for tests, and for threads that compete in one process.
 *
 * <p>Terms are lost when the process ends.
 *
 * <p>Threads: any. Calls block only for the short critical section of a write.
 */
public final class MemoryLeaseStore implements LeaseStore {

    private static final Map<String, MemoryLeaseStore> SHARED = new ConcurrentHashMap<>();

    private final Map<String, VersionedLease> leases = new ConcurrentHashMap<>();
    private final Map<String, List<Runnable>> watchers = new ConcurrentHashMap<>();

    /** Returns the store of {@code memory:NAME}, one per name. It lives as long as the JVM. */
    static MemoryLeaseStore shared(String name) {
        return SHARED.computeIfAbsent(name, n -> new MemoryLeaseStore());
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
            watchers.getOrDefault(election, List.of()).forEach(Runnable::run);
        }
        return outcome[0];
    }

    @Override
    public Optional<Watch> watch(String election, Runnable changed) {
        List<Runnable> list = watchers.computeIfAbsent(election, e -> new CopyOnWriteArrayList<>());
        list.add(changed);
        return Optional.of(() -> list.remove(changed));
    }

    @Override
    public StorePromises promises() {
        return new StorePromises(false, true, "one JVM");
    }

    /** Does nothing. The leases stay for the other users of this store. */
    @Override
    public void close() {}
}
