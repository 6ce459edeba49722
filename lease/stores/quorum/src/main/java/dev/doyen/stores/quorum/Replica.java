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
 * The records as this process sees them, with the operations to change them.
 *
 * <p>A member has a copy of all records. A client has a copy of the records that it watches, and asks a member for the
 * others.
 *
 * <p>Threads: any. Only the reads of a client block.
 */
interface Replica {

    /**
     * Returns the record, including at least all writes that were confirmed to this process.
     *
     * @param patience how long the member whose copy is read may have known no leader; also how long a client waits
     * @throws StoreUnavailableException if no copy is known to be up to date: the member has known no leader for too
     *     long or does not have all records yet, or no member answers a client
     */
    VersionedLease read(String election, Duration patience);

    /** Reads several records like {@link #read}, in as few requests as possible. */
    default Map<String, VersionedLease> readAll(Collection<String> elections, Duration patience) {
        Map<String, VersionedLease> found = new LinkedHashMap<>();
        elections.forEach(election -> found.put(election, read(election, patience)));
        return found;
    }

    /**
     * Writes several records in one entry of the log. Each write succeeds or fails separately.
     *
     * @return the outcomes in the order of the writes, when the local copy includes them; fails with
     *     {@link StoreUnavailableException} if they are not known within {@code timeout}
     */
    CompletableFuture<List<CasOutcome>> write(List<LeaseWrite> writes, Duration timeout);

    /** Waits until reads include all writes that were confirmed before the call. Fails after {@code timeout}. */
    CompletableFuture<Void> catchUp(Duration timeout);

    /**
     * Calls {@code changed} after each change of this record in the copy. The call is on a thread of the replica.
     *
     * @throws StoreUnavailableException if this process watches too many records already
     */
    LeaseStore.Watch watch(String election, Runnable changed);

    /**
     * Returns the state of the quorum as one member knows it.
     *
     * <p>A member returns its own state, without a message. A client asks its current member.
     *
     * @param patience how long a client waits for an answer
     * @throws StoreUnavailableException if no member answers a client
     */
    QuorumStatus status(Duration patience);

    /** Drops all frames from and to other processes until {@link #reconnect} is called. */
    void disconnect();

    void reconnect();
}
