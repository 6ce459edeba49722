package dev.doyen.store;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Stores one lease record per election, and changes it only by compare-and-set.
 *
 * <p>Candidates never delete a record. A release removes the holder from the record and does not change the term. The
 * next leader of the same election has a higher term. Only {@link #prune} deletes records.
 *
 * <p>Threads: any number at the same time. Calls may block, but should return within the election's request timeout.
 * After this time, the outcome of a write counts as unknown.
 *
 * <p>Errors: if a write fails for any reason but a conflict, the result is {@link CasOutcome.Unknown}. A read that
 * fails throws {@link StoreUnavailableException}. A read of a record that cannot be parsed throws
 * {@link UnreadableRecordException}. Such a record must not count as a missing record, because terms would then start
 * at 1 again.
 *
 * <p>If the server rejects a read because this process lacks a right, the read throws {@link StoreRefusedException}. A
 * rejected write returns {@link CasOutcome.Unknown} with {@code refused}. Every other failure counts as temporary.
 *
 * <p>Test an implementation with {@code LeaseStoreContract} and {@code LeaseDeletionContract} of the testkit.
 */
public interface LeaseStore extends AutoCloseable {

    /**
     * Opens the store at {@code url} with a {@link LeaseStoreProvider} of the class path.
     *
     * <p>This module opens {@code memory:}, {@code memory:NAME}, {@code file:/dir} and {@code shared-file:/dir}. Other
     * modules open further schemes. The messages of this method contain only the scheme of the URL, because the other
     * parts can contain a password. The provider of a scheme decides what its own messages contain.
     *
     * @throws IllegalArgumentException if the URL is invalid, or the class path has no provider for its scheme
     * @throws StoreUnavailableException if the store cannot be used
     */
    static LeaseStore open(String url) {
        return LeaseStores.open(url);
    }

    /**
     * Returns the lease that {@code read} returns. The result is empty if the record is unreadable.
     *
     * <p>Implementations of {@link #readAll} use this method. It logs each unreadable record once. Threads: any.
     */
    static Optional<VersionedLease> findReadable(String election, Supplier<VersionedLease> read) {
        return ReadableRecords.find(election, read);
    }

    /**
     * Returns the stored record of this election.
     *
     * <p>The answer can be stale. A stale answer is safe, because a later compare-and-set over a stale version fails.
     */
    VersionedLease read(String election);

    /**
     * Writes {@code next} if the stored record still has the version {@code expected}. The operation is linearizable
     * for each election.
     */
    CasOutcome compareAndSet(String election, LeaseVersion expected, LeaseRecord next);

    /**
     * Reads several elections in as few round trips as possible.
     *
     * <p>The result is not a snapshot. Each record is read as by {@link #read}, at some time during the call.
     *
     * <p>The result contains no entry for an election whose record is unreadable. The store logs such a record, and
     * returns the other records. A store can also omit the records that it did not read in time. If the store has no
     * record of an election, the result contains an absent lease for this election.
     *
     * @throws StoreUnavailableException if the store does not answer
     */
    default Map<String, VersionedLease> readAll(Collection<String> elections) {
        Map<String, VersionedLease> found = new LinkedHashMap<>();
        for (String election : elections) {
            findReadable(election, () -> read(election)).ifPresent(lease -> found.put(election, lease));
        }
        return found;
    }

    /**
     * Writes several elections in as few round trips as possible.
     *
     * <p>The results are in the order of the writes.
     *
     * <p>The call is not a transaction. Each write succeeds or fails by itself, as with {@link #compareAndSet}.
     */
    default List<CasOutcome> compareAndSetAll(List<Write> writes) {
        List<CasOutcome> outcomes = new ArrayList<>();
        writes.forEach(write -> outcomes.add(compareAndSet(write.next().election(), write.expected(), write.next())));
        return outcomes;
    }

    /**
     * Calls {@code changed} soon after each change of this election's record.
     *
     * <p>A change can be announced late, twice or, rarely, not at all.
     *
     * @param changed the callback that runs on a thread of the store and must return at once
     * @return the watch; empty if the store cannot watch
     */
    default Optional<Watch> watch(String election, Runnable changed) {
        return Optional.empty();
    }

    /**
     * Returns a store of non-expiring leases, if the account cannot renew a lease.
     *
     * <p>The result is present only if the account may create this election's lease but may not update it. A store can
     * require further conditions, and returns an empty result if they are not met. The call can block for a few
     * requests.
     *
     * @throws StoreRefusedException if the account had no permission when the store was opened; give the account
     *     permissions and open the store again
     * @throws StoreUnavailableException if the store cannot determine the permissions now
     */
    default Optional<NonExpiringLeases> nonExpiringOnly(String election) {
        return Optional.empty();
    }

    /**
     * Returns the rights that a candidate needs and that this process lacks, as one sentence for each.
     *
     * <p>Elections call this method when they are opened, and log the sentences. The store can write a probe to find a
     * missing right. So a process that only reads must not call this method. The call can block for a few requests. A
     * store need not repeat a check that has had a result.
     *
     * @return the sentences for people, without credentials; empty if no right is missing, if the store does not know
     *     its rights, or if it does not answer
     */
    default List<String> missingRights() {
        return List.of();
    }

    /**
     * Deletes old records that no participant needs any more.
     *
     * <p>Such a record has no holder, pause, step-down request or successor.
     *
     * <p>Before a store with durable terms deletes a record, it stores the record's term durably. Later answers for the
     * missing record contain a {@link VersionedLease#termFloor} of at least this term. A write that begins a term over
     * the missing record conflicts unless its term is above the floor. The deletion is not announced to watches.
     * Several processes may call the method at the same time, and the call can block for a long time.
     *
     * <p>The default implementation deletes nothing.
     *
     * @param before the time limit for records without saved state. The method deletes such a record only if
     *     {@link LeaseRecord#renewedAt} is before this time
     * @param savedBefore the same time limit for records with saved state
     * @return the number of deleted records
     * @throws StoreUnavailableException if the store cannot delete records now; it has possibly deleted some
     */
    default int prune(Instant before, Instant savedBefore) {
        return 0;
    }

    /** Returns the guarantees of this store beyond compare-and-set. */
    Promises promises();

    /** Closes connections and threads of the store. The records remain in the store. */
    @Override
    void close();

    /** A watch that the caller can end. */
    interface Watch extends AutoCloseable {
        @Override
        void close();
    }

    /**
     * A conditional write of one record. The store writes {@code next} if the stored record of the same election still
     * has the version {@code expected}.
     */
    record Write(LeaseVersion expected, LeaseRecord next) {}

    /**
     * The guarantees of a store beyond compare-and-set, as determined when the store was opened.
     *
     * @param durableTerms true if the store keeps a confirmed term even when all processes end or the computer crashes
     * @param watches true if the store announces changes. Without announcements, a handover takes longer: it waits
     *     until another candidate reads the record
     * @param scope the range of the participants that can share the store, such as "one JVM" or "one machine"
     * @param remarks warnings for operators, such as a server setting that removes a guarantee, and the remedy
     */
    record Promises(boolean durableTerms, boolean watches, String scope, List<String> remarks) {
        public Promises {
            remarks = List.copyOf(remarks);
        }

        public Promises(boolean durableTerms, boolean watches, String scope) {
            this(durableTerms, watches, scope, List.of());
        }
    }

    /**
     * A store of non-expiring leases.
     *
     * <p>A holder neither renews nor releases such a lease. The lease ends with the object that owns it, such as the
     * holder's Pod.
     *
     * @param store the store for one election only. The caller closes this store instead of the original store
     * @param why a sentence for people: which permission the account lacks, and the consequence
     */
    record NonExpiringLeases(LeaseStore store, String why) {}
}
