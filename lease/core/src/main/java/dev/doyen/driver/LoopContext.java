package dev.doyen.driver;

import dev.doyen.lease.Keeping;
import dev.doyen.lease.LeaseTiming;
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
        StoreDesk desk,
        LeaseTiming timing,
        Keeping keeping,
        SessionBook sessions,
        LongSupplier seeds,
        EventLog log) {

    /** Returns a context for loops that each renew their own lease. */
    public static LoopContext renewing(Threads threads, LeaseStore store, LeaseTiming timing, LongSupplier seeds) {
        var desk = new DirectDesk(threads, store);
        var sessions = new SessionBook(threads, store, desk, timing, seeds);
        return new LoopContext(
                threads, store, desk, timing, Keeping.BY_RENEWAL, sessions, seeds, new EventLog(threads));
    }

    /**
     * Returns a context for loops that hold their leases under one session (rule L12).
     *
     * @param process the name of this process, for people who read the session's record
     */
    public static LoopContext underSession(
            Threads threads, LeaseStore store, LeaseTiming timing, LongSupplier seeds, String process) {
        var sessions = new SessionBook(threads, store, new DirectDesk(threads, store), timing, seeds);
        sessions.begin(process);
        return new LoopContext(
                threads,
                store,
                new BatchDesk(threads, store),
                timing,
                Keeping.UNDER_SESSION,
                sessions,
                seeds,
                new EventLog(threads));
    }

    /** Returns a context for the loops of the sessions themselves. */
    static LoopContext ofSession(
            SessionBook book,
            Threads threads,
            LeaseStore store,
            StoreDesk desk,
            LeaseTiming timing,
            LongSupplier seeds) {
        return new LoopContext(threads, store, desk, timing, Keeping.BY_RENEWAL, book, seeds, new EventLog(threads));
    }
}
