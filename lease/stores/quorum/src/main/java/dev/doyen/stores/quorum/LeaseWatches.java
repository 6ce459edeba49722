package dev.doyen.stores.quorum;

import dev.doyen.log.FaultLog;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.support.LeaseWatchers;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;

/**
 * Announces changed records to their watchers.
 *
 * <p>Several changes of one record in quick succession are announced only once. Therefore the number of waiting
 * announcements never exceeds the number of watched records.
 *
 * <p>Threads: any. The executor's thread calls the watchers.
 */
final class LeaseWatches {

    private final LeaseWatchers watchers = new LeaseWatchers(new FaultLog(System.getLogger("dev.doyen.stores.quorum")));
    private final Executor announcer;

    /** Guarded by itself. */
    private final Set<String> waiting = new LinkedHashSet<>();

    /**
     * @param announcer the executor that calls the watchers and runs only one task at a time
     */
    LeaseWatches(Executor announcer) {
        this.announcer = announcer;
    }

    LeaseStore.Watch watch(String election, Runnable changed) {
        return watchers.add(election, changed);
    }

    boolean isWatched(String election) {
        return watchers.isWatched(election);
    }

    void changed(String election) {
        if (!watchers.isWatched(election)) {
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
        elections.forEach(watchers::announce);
    }
}
