package dev.doyen.driver;

import dev.doyen.election.LeaseTiming;
import dev.doyen.election.Threads;
import dev.doyen.lease.RenewalMode;
import dev.doyen.store.LeaseStore;
import java.util.function.LongSupplier;

/**
 * The objects that the loops of one process and one store share.
 *
 * @param desk sends the loops' requests to the store
 * @param sessions the sessions that hold leases in this store
 * @param seeds different for each loop, so that the loops read at different times; best random numbers
 * @param log the log of all these loops
 */
public record LoopContext(
        Threads threads,
        LeaseStore store,
        StoreExecutor desk,
        LeaseTiming timing,
        RenewalMode keeping,
        SessionRegistry sessions,
        LongSupplier seeds,
        EventLog log) {

    /** Returns a context for loops that each renew their own lease. */
    public static LoopContext renewing(Threads threads, LeaseStore store, LeaseTiming timing, LongSupplier seeds) {
        var desk = new DirectStoreExecutor(threads, store);
        var sessions = new SessionRegistry(threads, store, desk, timing, seeds);
        return new LoopContext(
                threads, store, desk, timing, RenewalMode.RENEWS_LEASE, sessions, seeds, new EventLog(threads));
    }

    /**
     * Returns a context for loops that hold their leases under one session (rule L12).
     *
     * @param process the name of this process, for people who read the session's record
     */
    public static LoopContext underSession(
            Threads threads, LeaseStore store, LeaseTiming timing, LongSupplier seeds, String process) {
        var sessions = new SessionRegistry(threads, store, new DirectStoreExecutor(threads, store), timing, seeds);
        sessions.begin(process);
        return new LoopContext(
                threads,
                store,
                new BatchingStoreExecutor(threads, store),
                timing,
                RenewalMode.RENEWS_SESSION,
                sessions,
                seeds,
                new EventLog(threads));
    }

    /** Returns a context for the loops of the sessions themselves. */
    static LoopContext ofSession(
            SessionRegistry book,
            Threads threads,
            LeaseStore store,
            StoreExecutor desk,
            LeaseTiming timing,
            LongSupplier seeds) {
        return new LoopContext(
                threads, store, desk, timing, RenewalMode.RENEWS_LEASE, book, seeds, new EventLog(threads));
    }
}
