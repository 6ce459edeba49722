package dev.doyen.store.support;

import dev.doyen.log.FaultLog;
import dev.doyen.store.LeaseStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Stores callbacks (watchers) for each key, and calls them when a lease has changed.
 *
 * <p>A store chooses the kind of its keys, such as elections, files or nodes.
 *
 * <p>If a watcher throws, the other watchers are still called. After a watch is closed, its watcher is not called
 * again. A call of the watcher that is already running at that time continues to its end.
 *
 * <p>Threads: any. Watchers run on the thread that announces the change.
 */
public final class LeaseWatchers {

    /** The immutable lists of watchers by key. Most lists have one entry, and the map can contain very many lists. */
    private final Map<String, List<Runnable>> watchers = new ConcurrentHashMap<>();

    private final FaultLog faults;

    /** @param faults the log for exceptions and errors of watchers */
    public LeaseWatchers(FaultLog faults) {
        this.faults = faults;
    }

    /**
     * Adds a watcher, and returns its watch.
     *
     * <p>When the last watch of a key is closed, the key is removed. A second close of a watch has no effect.
     */
    public LeaseStore.Watch add(String key, Runnable changed) {
        var added = new Watcher(changed);
        watchers.compute(key, (each, list) -> {
            List<Runnable> all = list == null ? new ArrayList<>() : new ArrayList<>(list);
            all.add(added);
            return List.copyOf(all);
        });
        return () -> {
            added.closed = true;
            watchers.computeIfPresent(key, (each, list) -> {
                List<Runnable> fewer = new ArrayList<>(list);
                fewer.remove(added);
                return fewer.isEmpty() ? null : List.copyOf(fewer);
            });
        };
    }

    /** Returns true if this key has a watcher. */
    public boolean isWatched(String key) {
        return watchers.containsKey(key);
    }

    /** Calls the watchers of this key. */
    public void announce(String key) {
        announce(watchers.getOrDefault(key, List.of()));
    }

    /** Calls all watchers, because it is unknown which leases have changed. */
    public void announceAll() {
        watchers.values().forEach(this::announce);
    }

    private void announce(List<Runnable> changed) {
        faults.runAll("a watcher of a lease", changed);
    }

    /** One registration. The same {@code changed} may be registered several times. */
    private static final class Watcher implements Runnable {
        private final Runnable changed;
        private volatile boolean closed;

        Watcher(Runnable changed) {
            this.changed = changed;
        }

        @Override
        public void run() {
            if (!closed) {
                changed.run();
            }
        }
    }
}
