package dev.doyen.driver;

import dev.doyen.election.LeaseTiming;
import dev.doyen.election.Threads;
import dev.doyen.lease.RenewalMode;
import dev.doyen.store.LeaseStore;
import java.util.function.LongSupplier;

/**
 * The objects that all loops of one process share for one store.
 *
 * @param storeExecutor the executor that sends the loops' requests to the store
 * @param sessions the sessions that these loops need
 * @param seeds the source of seeds, preferably random; each loop takes its own seed, so that the loops read at
 *     different times
 * @param log the log of all these loops
 */
public record LoopContext(
        Threads threads,
        LeaseStore store,
        StoreExecutor storeExecutor,
        LeaseTiming timing,
        RenewalMode renewalMode,
        SessionRegistry sessions,
        LongSupplier seeds,
        EventLog log) {

    /** Returns a context for loops that each renew their own lease. */
    public static LoopContext renewing(Threads threads, LeaseStore store, LeaseTiming timing, LongSupplier seeds) {
        var storeExecutor = new DirectStoreExecutor(threads, store);
        return renewing(threads, store, storeExecutor, timing, seeds, new EventLog(threads));
    }

    /**
     * Returns a context for many loops that each renew their own lease.
     *
     * <p>Unknown clients can start these loops, so this context limits the rate of log lines.
     */
    public static LoopContext queueing(QueueingStoreExecutor storeExecutor, LeaseTiming timing, LongSupplier seeds) {
        Threads threads = storeExecutor.threads();
        return renewing(threads, storeExecutor.store(), storeExecutor, timing, seeds, EventLog.limited(threads));
    }

    private static LoopContext renewing(
            Threads threads,
            LeaseStore store,
            StoreExecutor storeExecutor,
            LeaseTiming timing,
            LongSupplier seeds,
            EventLog log) {
        var sessions = new SessionRegistry(threads, store, storeExecutor, timing, seeds);
        return new LoopContext(threads, store, storeExecutor, timing, RenewalMode.RENEWS_LEASE, sessions, seeds, log);
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
                new BatchingStoreExecutor(threads, store, timing.requestTimeout()),
                timing,
                RenewalMode.RENEWS_SESSION,
                sessions,
                seeds,
                new EventLog(threads));
    }

    /** Returns a context for the loops that renew or observe session records. */
    static LoopContext ofSession(
            SessionRegistry registry,
            Threads threads,
            LeaseStore store,
            StoreExecutor storeExecutor,
            LeaseTiming timing,
            LongSupplier seeds) {
        return new LoopContext(
                threads,
                store,
                storeExecutor,
                timing,
                RenewalMode.RENEWS_LEASE,
                registry,
                seeds,
                new EventLog(threads));
    }
}
