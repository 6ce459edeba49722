package dev.doyen.store;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The watchers of a store's leases, by key.
 *
 * <p>A store chooses its keys: elections, files or nodes.
 *
 * <p>If a watcher throws, the others are still called.
 *
 * <p>Threads: any. Watchers run on the thread that announces.
 */
public final class LeaseWatchers {

    /** The lists are immutable. Most have one entry, and there may be very many. */
    private final Map<String, List<Runnable>> watchers = new ConcurrentHashMap<>();

    private final FaultLog faults;

    /** @param faults logs what watchers throw */
    public LeaseWatchers(FaultLog faults) {
        this.faults = faults;
    }

    /** Adds a watcher. The key is removed with its last watcher. */
    public LeaseStore.Watch add(String key, Runnable changed) {
        watchers.compute(key, (each, list) -> {
            List<Runnable> all = list == null ? new ArrayList<>() : new ArrayList<>(list);
            all.add(changed);
            return List.copyOf(all);
        });
        return () -> watchers.computeIfPresent(key, (each, list) -> {
            List<Runnable> fewer = new ArrayList<>(list);
            fewer.remove(changed);
            return fewer.isEmpty() ? null : List.copyOf(fewer);
        });
    }

    /** Returns whether this key has a watcher. */
    public boolean isWatched(String key) {
        return watchers.containsKey(key);
    }

    /** Calls the watchers of this key. */
    public void announce(String key) {
        announce(watchers.getOrDefault(key, List.of()));
    }

    /** Calls all watchers, because any lease may have changed. */
    public void announceAll() {
        watchers.values().forEach(this::announce);
    }

    private void announce(List<Runnable> changed) {
        faults.runAll("a watcher of a lease", changed);
    }
}
