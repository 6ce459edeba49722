package dev.doyen.store;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Stores one lease record per election, which only compare-and-set changes.
 *
 * <p>A record is never deleted. A release empties the holder and keeps the term.
 *
 * <p>Threads: any number at once. Calls may block, but should end within the election's request timeout, because a
 * later answer counts as unknown.
 *
 * <p>Errors: if a write fails for any reason but a conflict, the result is {@link CasOutcome.Unknown}. A read throws
 * {@link StoreUnavailableException}. A record that cannot be parsed is a fault too, and never an absence, because terms
 * would then start at 1 again.
 *
 * <p>{@code LeaseStoreContract} in the testkit tests an implementation.
 */
public interface LeaseStore extends AutoCloseable {

    /**
     * Returns what the store holds for this election.
     *
     * <p>The answer may be stale, because the compare-and-set decides.
     */
    VersionedLease read(String election);

    /** Writes {@code next} if the store still holds {@code expected}. Linearizable per election. */
    CasOutcome compareAndSet(String election, LeaseVersion expected, LeaseRecord next);

    /**
     * Reads several elections in as few round trips as possible.
     *
     * <p>The result is not a snapshot. Each record is read as by {@link #read}, at some time during the call.
     */
    default Map<String, VersionedLease> readAll(Collection<String> elections) {
        Map<String, VersionedLease> found = new LinkedHashMap<>();
        elections.forEach(election -> found.put(election, read(election)));
        return found;
    }

    /**
     * Writes several elections in as few round trips as possible.
     *
     * <p>The results are in the order of the writes.
     *
     * <p>This is not a transaction. Each write succeeds or fails by itself, as with {@link #compareAndSet}.
     */
    default List<CasOutcome> compareAndSetAll(List<LeaseWrite> writes) {
        List<CasOutcome> outcomes = new ArrayList<>();
        writes.forEach(write -> outcomes.add(compareAndSet(write.next().election(), write.expected(), write.next())));
        return outcomes;
    }

    /**
     * Calls {@code changed} soon after each change of this election's record.
     *
     * <p>A change may be announced late, twice or, rarely, not at all.
     *
     * @param changed runs on a thread of the store and must return at once
     * @return empty if the store cannot watch
     */
    default Optional<Watch> watch(String election, Runnable changed) {
        return Optional.empty();
    }

    /**
     * Returns a store of non-expiring leases if this account cannot renew a lease.
     *
     * <p>The account can then create this election's lease but not update it.
     *
     * <p>Empty if the account can update the lease, or can do neither. May block for a few requests.
     *
     * @throws StoreUnavailableException if the store cannot find this out now, or was opened before the account had any
     *     permission. In the second case open the store again
     */
    default Optional<NonExpiringLeases> nonExpiringOnly(String election) {
        return Optional.empty();
    }

    /** Returns what this store guarantees beyond compare-and-set. */
    StorePromises promises();

    /** Closes connections and threads of the store. Records stay. */
    @Override
    void close();

    /** A watch that the caller can end. */
    interface Watch extends AutoCloseable {
        @Override
        void close();
    }
}
