package dev.doyen.store;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The port to whatever holds the lease records: per election one record, changed by compare-and-set only and never
 * deleted (a release empties the holder and keeps the term).
 *
 * <p>Threads: any number may call at once; calls may block, but should end within the election's request timeout, for
 * a call that does not is given up as unknown. Errors: every operating fault of a write is
 * {@link CasOutcome.Unknown}; a read throws {@link StoreUnavailableException}. A record that cannot be parsed is a
 * fault too, never absence: absence would let terms start again at 1. Proof: {@code LeaseStoreContract} in the testkit.
 */
public interface LeaseStore extends AutoCloseable {

    /** What the store holds for this election. A stale answer is harmless: the compare-and-set decides. */
    VersionedLease read(String election);

    /** Writes {@code next} if the store still holds {@code expected} (linearizable per election). */
    CasOutcome compareAndSet(String election, LeaseVersion expected, LeaseRecord next);

    /**
     * What the store holds for each of these elections, in as few round trips as it can. Not one snapshot: each is read
     * as by {@link #read}, at some time during the call.
     */
    default Map<String, VersionedLease> readAll(Collection<String> elections) {
        Map<String, VersionedLease> found = new LinkedHashMap<>();
        elections.forEach(election -> found.put(election, read(election)));
        return found;
    }

    /**
     * Carries out writes for different elections in as few round trips as it can; the answers come in the same order.
     * Not one transaction: each is carried out or refused on its own, as by {@link #compareAndSet}.
     */
    default List<CasOutcome> compareAndSetAll(List<LeaseWrite> writes) {
        List<CasOutcome> outcomes = new ArrayList<>();
        writes.forEach(write -> outcomes.add(compareAndSet(write.next().election(), write.expected(), write.next())));
        return outcomes;
    }

    /**
     * Calls {@code changed} soon after each change of this election's record, on a thread of the store's; it must
     * return at once. Empty if the store cannot watch. A change may be announced late, twice or, seldom, not at all.
     */
    default Optional<Watch> watch(String election, Runnable changed) {
        return Optional.empty();
    }

    /**
     * The same leases, held for life, if this account may make this election's lease but not change it afterwards; empty if
     * it can be renewed, or if neither is possible. May block for a few requests. Throws
     * {@link StoreUnavailableException} if that cannot be found out now, or not by this store any more: then it is to be
     * opened again.
     */
    default Optional<LeasesForLife> onlyForLife(String election) {
        return Optional.empty();
    }

    StorePromises promises();

    /** Frees what the store holds open. Records stay. */
    @Override
    void close();

    /** A watch that can be ended. */
    interface Watch extends AutoCloseable {
        @Override
        void close();
    }
}
