package dev.doyen.stores.kubernetes;

import dev.doyen.log.FaultLog;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.support.LaterThread;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The watches of a store, one stream per Lease.
 *
 * <p>Each stream selects its Lease by name. So an account with access to only one Lease can watch it. A store watches
 * at most {@value #MAX} Leases. The callers poll the Leases beyond this limit.
 *
 * <p>Each event announces a change. If the event is less than a second old, the first read after the announcement
 * returns the Lease in the event, without a request. All other reads send a request to the server. If this process has
 * meanwhile read or written a newer version of the Lease, the first read also sends a request. The Lease in the event
 * can be slightly old, which is safe for two reasons. A follower counts its wait before a takeover from the receipt of
 * the event, which is later than the server's write (rule L2). The server rejects a write that is based on an old
 * version (rule L3).
 *
 * <p>Threads: any. No call blocks.
 */
final class LeaseWatches implements AutoCloseable {

    static final int MAX = 64;

    private final KubernetesApi api;
    private final FaultLog faults = new FaultLog(System.getLogger("dev.doyen"));
    private final LaterThread later = new LaterThread("doyen-kubernetes-watch", faults);
    private final Map<String, WatchedLease> watched = new HashMap<>();
    private boolean closed;

    LeaseWatches(KubernetesApi api) {
        this.api = api;
    }

    synchronized Optional<LeaseStore.Watch> watch(String name, Runnable changed) {
        WatchedLease lease = watched.get(name);
        if (lease == null) {
            if (closed || watched.size() == MAX) {
                return Optional.empty();
            }
            lease = new WatchedLease(api, name, later, faults);
            watched.put(name, lease);
            lease.add(changed);
            lease.begin();
        } else {
            lease.add(changed);
        }
        return Optional.of(() -> end(name, changed));
    }

    /** Returns a recent event of this Lease that no read has returned yet. */
    Optional<WatchedLease.Seen> take(String name) {
        Optional<WatchedLease> lease;
        synchronized (this) {
            lease = Optional.ofNullable(watched.get(name));
        }
        return lease.flatMap(WatchedLease::take);
    }

    @Override
    public synchronized void close() {
        closed = true;
        watched.values().forEach(WatchedLease::end);
        watched.clear();
        later.close();
    }

    private synchronized void end(String name, Runnable changed) {
        WatchedLease lease = watched.get(name);
        if (lease != null && lease.remove(changed)) {
            watched.remove(name);
            lease.end();
        }
    }
}
