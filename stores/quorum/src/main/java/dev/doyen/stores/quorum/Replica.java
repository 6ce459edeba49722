package dev.doyen.stores.quorum;

import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseWrite;
import dev.doyen.store.StoreUnavailableException;
import dev.doyen.store.VersionedLease;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A copy of the records in this process, and a way to change the original.
 *
 * <p>Threads: any. No method waits.
 */
interface Replica {

    /**
     * Returns what the copy holds. It is as new as the last write that was confirmed to this process, or newer.
     *
     * @throws StoreUnavailableException if the copy is not known to be up to date: this process has not heard of a leader
     *     for longer than {@code patience}, or does not have all records yet
     */
    VersionedLease read(String election, Duration patience);

    /**
     * Writes in one entry of the log. Each write is carried out or refused by itself.
     *
     * @return the outcomes in the order of the writes, after the copy has them too; fails with
     *     {@link StoreUnavailableException} if they are not known within {@code timeout}
     */
    CompletableFuture<List<CasOutcome>> write(List<LeaseWrite> writes, Duration timeout);

    /** Completes when the copy has all writes that were confirmed before the call; fails after {@code timeout}. */
    CompletableFuture<Void> catchUp(Duration timeout);

    /** Calls {@code changed} on a thread of the replica after each change of this record in the copy. */
    LeaseStore.Watch watch(String election, Runnable changed);

    /** Returns what this process knows about the quorum, without a message. */
    QuorumStatus status();

    /** Drops all frames from and to other processes, until {@link #reconnect}. */
    void disconnect();

    void reconnect();
}
