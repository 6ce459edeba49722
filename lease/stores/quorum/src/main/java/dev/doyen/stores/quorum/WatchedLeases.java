package dev.doyen.stores.quorum;

import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseStore;
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
 * <p>The client has a copy of a record while a member sends it the changes of the record. An older record never
 * replaces a newer copy, even if answers and changes arrive out of order.
 *
 * <p>Threads: any.
 */
final class WatchedLeases {

    /** The maximum number of records that one client can watch. */
    static final int MAX = 5_000;

    private static final class Watched {
        private int watchers;

        /**
         * The newest record that arrived on the client's current connection; null before the first record. A change can
         * arrive before the answer to the read of this record.
         */
        private @Nullable VersionedLease newest;

        /**
         * True if a member sends the changes of this record. While the value is false, the newest record is possibly
         * outdated.
         */
        private boolean isCopied;
    }

    /** Guarded by {@code this}. */
    private final Map<String, Watched> watched = new HashMap<>();

    /**
     * Adds a watcher, and returns true if it is the first watcher of this election.
     *
     * @throws StoreUnavailableException if the client already watches the maximum number of elections
     */
    synchronized boolean add(String election) {
        Watched each = watched.get(election);
        if (each == null && watched.size() >= MAX) {
            throw new StoreUnavailableException(
                    "this process watches " + MAX + " elections through members of the quorum, which is the limit");
        }
        if (each == null) {
            each = new Watched();
            watched.put(election, each);
        }
        each.watchers++;
        return each.watchers == 1;
    }

    /** Removes a watcher, and returns true if it was the last watcher of this election. */
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

    /** Returns the copy of a record; empty if no copy exists. */
    synchronized Optional<VersionedLease> copy(String election) {
        Watched each = watched.get(election);
        return each == null || !each.isCopied ? Optional.empty() : Optional.ofNullable(each.newest);
    }

    /**
     * If the client watches the election, stores this record as a copy, unless a newer record is stored. From now on, a
     * member sends the record again after changes.
     */
    synchronized void begin(String election, VersionedLease lease) {
        Watched each = watched.get(election);
        if (each != null) {
            each.newest = each.newest == null ? lease : LeaseTable.newer(each.newest, lease);
            each.isCopied = true;
        }
    }

    /**
     * Stores a changed record if the client watches the record and has no newer one. Returns true if the record
     * replaces a copy.
     */
    synchronized boolean change(String election, VersionedLease lease) {
        Watched each = watched.get(election);
        if (each == null
                || (each.newest != null && LeaseTable.newer(each.newest, lease).equals(each.newest))) {
            return false;
        }
        each.newest = lease;
        return each.isCopied;
    }

    /**
     * Stores the record after a write, as {@link #change} does. Returns true if the record replaces a copy. If the
     * outcome of the write is unknown, stores nothing.
     */
    boolean learn(LeaseStore.Write write, CasOutcome outcome) {
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
