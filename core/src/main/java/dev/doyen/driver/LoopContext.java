package dev.doyen.driver;

import dev.doyen.lease.Keeping;
import dev.doyen.lease.LeaseTiming;
import dev.doyen.store.LeaseStore;
import java.util.function.LongSupplier;

/**
 * What the loops of one process that share a store have in common.
 *
 * @param desk where the loops hand in their requests
 * @param sessions the sessions that leases in this store are held under
 * @param seeds spreads the looks of different loops apart; best random numbers
 * @param log where the loops say what happens
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

    /** For loops that each renew a lease of their own. */
    public static LoopContext renewing(Threads threads, LeaseStore store, LeaseTiming timing, LongSupplier seeds) {
        var desk = new DirectDesk(threads, store);
        var sessions = new SessionBook(threads, store, desk, timing, seeds);
        return new LoopContext(
                threads, store, desk, timing, Keeping.BY_RENEWAL, sessions, seeds, new EventLog(threads));
    }

    /**
     * For any number of loops that hold their leases under one session, which is renewed for all of them (rule L12).
     *
     * @param process who this process is, for people who read the session's record
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

    /** For the loops of the sessions themselves. */
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
