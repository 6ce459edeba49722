package dev.doyen.store.support;

import dev.doyen.log.FaultLog;
import dev.doyen.store.LeaseStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The watchers of a store's leases, by key.
 *
 * <p>A store chooses its keys: elections, files or nodes.
 *
 * <p>If a watcher throws, the others are still called. A watcher is not called after its watch was closed, even if
 * another watcher of the same announcement closes it. A call that is running then goes on.
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

    /** Adds a watcher. The key is removed with its last watcher. A second close of the watch has no effect. */
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
