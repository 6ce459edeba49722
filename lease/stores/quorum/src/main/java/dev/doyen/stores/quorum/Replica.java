package dev.doyen.stores.quorum;

import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.StoreUnavailableException;
import dev.doyen.store.VersionedLease;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * The records from the view of this process, and the operations that change the records.
 *
 * <p>A member has a copy of all records. A client has a copy of the records that it watches, and requests other records
 * from a member.
 *
 * <p>Threads: any. In a client, a read of the status blocks until a member answers. So does a read of a record if the
 * client has no copy of the record.
 */
interface Replica {

    /**
     * Returns the record, including all writes that were confirmed to this process.
     *
     * @param patience the maximum time that the answering member may have been without a known leader; for a client
     *     also the timeout
     * @throws StoreUnavailableException if no copy is up to date: the member has had no leader for too long or lacks
     *     records, or no member answers a client
     */
    VersionedLease read(String election, Duration patience);

    /**
     * Reads several records like {@link #read}, in as few requests as possible.
     *
     * <p>If a client has read some records when {@code patience} has passed, it returns them, and omits the others.
     */
    default Map<String, VersionedLease> readAll(Collection<String> elections, Duration patience) {
        Map<String, VersionedLease> found = new LinkedHashMap<>();
        elections.forEach(election -> found.put(election, read(election, patience)));
        return found;
    }

    /**
     * Writes several records in one entry of the log. Each write succeeds or fails separately.
     *
     * @return a future with the outcomes in the order of the writes. The future completes when the local copy includes
     *     the writes. If the outcomes are known but the copy lags behind, the future completes after {@code timeout}.
     *     The future fails with {@link StoreUnavailableException} if the writes are rejected, or if the outcomes are
     *     not known within {@code timeout}
     */
    CompletableFuture<List<CasOutcome>> write(List<LeaseStore.Write> writes, Duration timeout);

    /**
     * Waits until reads include all writes that were confirmed before the call. The returned future fails if one step
     * of the wait takes longer than {@code timeout}. In a member the wait has up to three steps.
     */
    CompletableFuture<Void> catchUp(Duration timeout);

    /**
     * Calls {@code changed} after changes of this record in the copy. One call can report several changes. A thread of
     * the replica makes the call.
     *
     * @throws StoreUnavailableException if this process is a client that already watches the maximum number of records
     */
    LeaseStore.Watch watch(String election, Runnable changed);

    /**
     * Returns the state of the quorum from the view of one member.
     *
     * <p>A member returns its own state, without a message. A client asks its current member.
     *
     * @param patience the maximum time that a client waits for an answer
     * @throws StoreUnavailableException if this process is a client and no member answers
     */
    QuorumStatus status(Duration patience);

    /** Drops all frames from and to other processes until {@link #reconnect} is called. */
    void disconnect();

    void reconnect();
}
