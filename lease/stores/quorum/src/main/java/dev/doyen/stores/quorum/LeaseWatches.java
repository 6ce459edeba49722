package dev.doyen.stores.quorum;

import dev.doyen.log.FaultLog;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.support.LeaseWatchers;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * Announces changed records to their watchers.
 *
 * <p>Changes of one record that arrive before their announcement begins are announced only once. Therefore the number
 * of waiting announcements never exceeds the number of watched records.
 *
 * <p>Threads: any. The executor's thread calls the watchers.
 */
final class LeaseWatches {

    private final FaultLog faults = new FaultLog(System.getLogger("dev.doyen.stores.quorum"));
    private final LeaseWatchers watchers = new LeaseWatchers(faults);
    private final Executor announcer;

    /** Guarded by itself. */
    private final Set<String> waiting = new LinkedHashSet<>();

    /** True if the executor has accepted an announcement that has not begun. Guarded by {@link #waiting}. */
    private boolean isScheduled;

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

    /**
     * Announces a change. The method never throws, because it runs while the log is applied. If the executor fails, the
     * next change of any watched record also announces this change.
     */
    void changed(String election) {
        faults.survives("announcing a changed lease", () -> add(election));
    }

    private void add(String election) {
        if (!watchers.isWatched(election)) {
            return;
        }
        boolean isFirst;
        synchronized (waiting) {
            waiting.add(election);
            isFirst = !isScheduled;
            isScheduled = true;
        }
        if (isFirst) {
            schedule();
        }
    }

    private void schedule() {
        boolean isAccepted = false;
        try {
            announcer.execute(this::announce);
            isAccepted = true;
        } catch (RejectedExecutionException e) {
            // The member or client was closed, so nobody waits for the announcement.
        } finally {
            if (!isAccepted) {
                synchronized (waiting) {
                    isScheduled = false;
                }
            }
        }
    }

    private void announce() {
        List<String> elections;
        synchronized (waiting) {
            isScheduled = false;
            elections = List.copyOf(waiting);
            waiting.clear();
        }
        elections.forEach(watchers::announce);
    }
}
