package dev.doyen.stores.quorum;

import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseWrite;
import dev.doyen.store.StoreUnavailableException;
import dev.doyen.store.VersionedLease;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The records that a client watches, with their watchers and copies.
 *
 * <p>A record has a copy while a member sends its changes. A newer copy is never replaced by an
 * older record, even if answers and changes arrive out of order.
 *
 * <p>Threads: any.
 */
final class WatchedLeases {

    /** The most records that one client can watch. */
    static final int MAX = 5_000;

    private static final class Watched {
        private int watchers;

        /** The newest record from this connection; null before the first one. A change may arrive before the answer. */
        private @Nullable VersionedLease newest;

        /** Whether a member sends the changes. Before that, the newest record may be stale. */
        private boolean isCopied;
    }

    /** Guarded by this. */
    private final Map<String, Watched> watched = new HashMap<>();

    /**
     * Adds a watcher. Returns whether it is the first one of this election.
     *
     * @throws StoreUnavailableException if too many elections are watched
     */
    synchronized boolean add(String election) {
        Watched each = watched.get(election);
        if (each == null && watched.size() >= MAX) {
            throw new StoreUnavailableException(
                    "this process watches " + MAX + " elections through members of the quorum; more are not watched");
        }
        if (each == null) {
            each = new Watched();
            watched.put(election, each);
        }
        each.watchers++;
        return each.watchers == 1;
    }

    /** Removes a watcher. Returns whether it was the last one of this election. */
    synchronized boolean remove(String election) {
        Watched each = watched.get(election);
        if (each == null) {
            return false;
        }
        each.watchers--;
        if (each.watchers == 0) {
            watched.remove(election);
        }
        return each.watchers == 0;
    }

    synchronized boolean isWatched(String election) {
        return watched.containsKey(election);
    }

    synchronized List<String> elections() {
        return List.copyOf(watched.keySet());
    }

    /** Returns the copy of a record; empty if there is none. */
    synchronized Optional<VersionedLease> copy(String election) {
        Watched each = watched.get(election);
        return each == null || !each.isCopied ? Optional.empty() : Optional.ofNullable(each.newest);
    }

    /** Stores the current record, because a member sends all its changes from now on. */
    synchronized void begin(String election, VersionedLease lease) {
        Watched each = watched.get(election);
        if (each != null) {
            each.newest = each.newest == null ? lease : LeaseTable.newer(each.newest, lease);
            each.isCopied = true;
        }
    }

    /** Stores a changed record. Returns true if the record has a copy that was older. */
    synchronized boolean change(String election, VersionedLease lease) {
        Watched each = watched.get(election);
        if (each == null
                || (each.newest != null && LeaseTable.newer(each.newest, lease).equals(each.newest))) {
            return false;
        }
        each.newest = lease;
        return each.isCopied;
    }

    /** Stores the record from the outcome of a write. Returns true if the record has a copy that was older. */
    boolean learn(LeaseWrite write, CasOutcome outcome) {
        String election = write.next().election();
        if (outcome instanceof CasOutcome.Written written) {
            return change(election, VersionedLease.of(written.version(), write.next()));
        }
        return outcome instanceof CasOutcome.Conflict conflict && change(election, conflict.current());
    }

    /** Drops all copies, because no member sends changes any more. */
    synchronized void forgetCopies() {
        watched.values().forEach(each -> {
            each.newest = null;
            each.isCopied = false;
        });
    }
}
