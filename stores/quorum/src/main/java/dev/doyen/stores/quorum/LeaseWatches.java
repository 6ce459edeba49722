package dev.doyen.stores.quorum;

import dev.doyen.store.FaultLog;
import dev.doyen.store.LeaseStore;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;

/**
 * Announces changed records. Changes of one record that come quickly are announced together, so no more announcements wait
 * than records are watched.
 *
 * <p>Threads: any. Watchers are called on the executor's thread.
 */
final class LeaseWatches {

    private final FaultLog faults = new FaultLog(System.getLogger("dev.doyen.stores.quorum"));
    private final Executor announcer;
    private final Map<String, List<Runnable>> watchers = new ConcurrentHashMap<>();

    /** Guarded by itself. */
    private final Set<String> waiting = new LinkedHashSet<>();

    /** @param announcer runs one task after the other */
    LeaseWatches(Executor announcer) {
        this.announcer = announcer;
    }

    LeaseStore.Watch watch(String election, Runnable changed) {
        watchers.computeIfAbsent(election, each -> new CopyOnWriteArrayList<>()).add(changed);
        return () -> watchers.computeIfPresent(election, (each, list) -> {
            list.remove(changed);
            return list.isEmpty() ? null : list;
        });
    }

    void changed(String election) {
        if (!watchers.containsKey(election)) {
            return;
        }
        boolean isFirst;
        synchronized (waiting) {
            isFirst = waiting.isEmpty();
            waiting.add(election);
        }
        if (isFirst) {
            announcer.execute(this::announce);
        }
    }

    private void announce() {
        List<String> elections;
        synchronized (waiting) {
            elections = List.copyOf(waiting);
            waiting.clear();
        }
        for (String election : elections) {
            faults.runAll("a watcher of a lease", watchers.getOrDefault(election, List.of()));
        }
    }
}
