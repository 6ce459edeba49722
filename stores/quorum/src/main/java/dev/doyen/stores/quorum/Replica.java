package dev.doyen.stores.quorum;

import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseWrite;
import dev.doyen.store.StoreUnavailableException;
import dev.doyen.store.VersionedLease;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * The records as this process sees them, and a way to change them. A member has a copy of all records. A client has a copy
 * of those that it watches, and asks a member for the others.
 *
 * <p>Threads: any. Only the reads of a client wait, for an answer.
 */
interface Replica {

    /**
     * Returns the record. It is as new as the last write that was confirmed to this process, or newer.
     *
     * @param patience for how long the member whose copy is read may have known no leader, and for how long a client waits
     * @throws StoreUnavailableException if no copy is known to be up to date: the member has known no leader for too long,
     *     or does not have all records yet; or no member answers a client
     */
    VersionedLease read(String election, Duration patience);

    /** Reads several records, as {@link #read} does, in as few requests as possible. */
    default Map<String, VersionedLease> readAll(Collection<String> elections, Duration patience) {
        Map<String, VersionedLease> found = new LinkedHashMap<>();
        elections.forEach(election -> found.put(election, read(election, patience)));
        return found;
    }

    /**
     * Writes in one entry of the log. Each write is carried out or refused by itself.
     *
     * @return the outcomes in the order of the writes, after the copy that is read has them too; fails with
     *     {@link StoreUnavailableException} if they are not known within {@code timeout}
     */
    CompletableFuture<List<CasOutcome>> write(List<LeaseWrite> writes, Duration timeout);

    /** Completes when reads show all writes that were confirmed before the call; fails after {@code timeout}. */
    CompletableFuture<Void> catchUp(Duration timeout);

    /**
     * Calls {@code changed} on a thread of the replica after each change of this record in the copy.
     *
     * @throws StoreUnavailableException if this process watches too many records already
     */
    LeaseStore.Watch watch(String election, Runnable changed);
}
