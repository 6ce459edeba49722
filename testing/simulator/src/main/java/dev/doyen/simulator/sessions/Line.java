package dev.doyen.simulator.sessions;

import dev.doyen.simulator.world.SeededRandom;
import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.StoreUnavailableException;
import dev.doyen.store.VersionedLease;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The connection of one process to the store.
 *
 * <p>Requests and answers are delayed, sometimes by much more than a ttl, or lost. A call whose request or answer is
 * lost ends after a timeout and without an answer, as in a client library. Some calls throw errors. In some runs, some
 * reads return an older version of the record.
 */
final class Line implements LeaseStore {

    /** The outcome of one call, and the delays in both directions. */
    record Fate(Kind kind, long toStore, long toCaller) {
        enum Kind {
            CARRIED_OUT,
            /** The request never reached the store. */
            REQUEST_LOST,
            /** The store carried out the request, but its answer was lost. */
            ANSWER_LOST
        }
    }

    private static final double LOST = 0.08;
    private static final double ERRORS = 0.02;
    private static final long CLIENT_TIMEOUT_SECONDS = 3;

    private final VersionHistory store;
    private final SeededRandom random;
    private final SeededRandom staleness;
    private final boolean watched;
    private final Map<String, Long> writesFailUntil = new HashMap<>();
    private long cutUntil;
    private long lateUntil;
    private boolean healed;
    private boolean throwing;
    private double stale;
    private long answerDelay;
    private long now;
    private Fate.Kind present = Fate.Kind.CARRIED_OUT;

    /**
     * Creates the connection.
     *
     * @param staleness the random numbers of stale reads only, so that they do not affect the other faults
     * @param stale the share of reads that return a random recent version
     */
    Line(VersionHistory store, SeededRandom random, boolean watched, SeededRandom staleness, double stale) {
        this.store = store;
        this.random = random;
        this.staleness = staleness;
        this.stale = stale;
        this.watched = watched;
    }

    void cut(long until) {
        cutUntil = Math.max(cutUntil, until);
    }

    /** Fails all writes to this election's record until this time. Other calls are not affected. */
    void failWrites(String election, long until) {
        writesFailUntil.merge(election, until, Math::max);
    }

    /**
     * Delays the answers to writes that the process sends before this time.
     *
     * <p>Answers to writes of session records are not delayed.
     */
    void answerLate(long until) {
        lateUntil = until;
    }

    /** Makes some calls throw an {@link Error}, until {@link #heal}. */
    void throwErrors() {
        throwing = true;
    }

    /** Ends all faults. After that, messages have short delays, and are lost only while the connection is cut. */
    void heal() {
        healed = true;
        throwing = false;
        stale = 0;
        cutUntil = 0;
        lateUntil = 0;
        writesFailUntil.clear();
    }

    /** Returns true if many reads return an older version. */
    boolean readsManyOlderVersions() {
        return stale > 0.1;
    }

    Fate draw(long sentAt) {
        now = sentAt;
        long timeout = random.seconds(0.1, CLIENT_TIMEOUT_SECONDS);
        if (healed && now >= cutUntil) {
            return new Fate(Fate.Kind.CARRIED_OUT, random.seconds(0.001, 0.02), random.seconds(0.001, 0.02));
        }
        if (now < cutUntil || random.chance(LOST)) {
            return new Fate(Fate.Kind.REQUEST_LOST, timeout, 0);
        }
        Fate.Kind kind = random.chance(LOST) ? Fate.Kind.ANSWER_LOST : Fate.Kind.CARRIED_OUT;
        return new Fate(kind, delay(), kind == Fate.Kind.ANSWER_LOST ? timeout : delay());
    }

    void carryOut(Fate fate, Runnable call) {
        present = fate.kind();
        answerDelay = fate.toCaller();
        try {
            call.run();
        } finally {
            present = Fate.Kind.CARRIED_OUT;
            answerDelay = 0;
        }
    }

    /**
     * Returns the nanoseconds until the loop receives the result of the current call.
     *
     * <p>The result is zero outside {@link #carryOut}.
     */
    long answerDelay() {
        return answerDelay;
    }

    @Override
    public VersionedLease read(String election) {
        if (present != Fate.Kind.CARRIED_OUT) {
            throw new StoreUnavailableException("lost on the way");
        }
        throwPerhaps();
        return staleness.chance(stale) ? store.readStale(election, staleness) : store.read(election);
    }

    @Override
    public CasOutcome compareAndSet(String election, LeaseVersion expected, LeaseRecord next) {
        throwPerhaps();
        if (present == Fate.Kind.REQUEST_LOST || now < writesFailUntil.getOrDefault(election, 0L)) {
            return new CasOutcome.Unknown("lost on the way there");
        }
        CasOutcome outcome = store.compareAndSet(election, expected, next);
        if (now < lateUntil && !election.startsWith("~session/")) {
            answerDelay = random.seconds(22, 32);
        }
        throwPerhaps();
        return present == Fate.Kind.ANSWER_LOST ? new CasOutcome.Unknown("lost on the way back") : outcome;
    }

    @Override
    public Optional<Watch> watch(String election, Runnable changed) {
        return watched ? store.watch(election, changed) : Optional.empty();
    }

    @Override
    public LeaseStore.Promises promises() {
        return store.promises();
    }

    @Override
    public void close() {}

    private void throwPerhaps() {
        if (throwing && random.chance(ERRORS)) {
            throw new InjectedError();
        }
    }

    /**
     * Returns a random delay, which can exceed several ttls.
     *
     * <p>So a process can receive an answer after it has lost the session in which it sent the request, and already
     * holds another session record.
     */
    private long delay() {
        double drawn = random.unit();
        if (drawn < 0.6) {
            return random.seconds(0.001, 0.05);
        }
        if (drawn < 0.9) {
            return random.seconds(0.05, 1.5);
        }
        return drawn < 0.98 ? random.seconds(1.5, 9) : random.seconds(9, 40);
    }

    /** An injected error, similar to the error that a lack of memory causes. */
    static final class InjectedError extends Error {
        private static final long serialVersionUID = 1;

        InjectedError() {
            super("injected", null, false, false);
        }
    }
}
