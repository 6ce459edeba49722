package dev.doyen.simulator.sessions;

import dev.doyen.simulator.world.Dice;
import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.MemoryLeaseStore;
import dev.doyen.store.StorePromises;
import dev.doyen.store.StoreUnavailableException;
import dev.doyen.store.VersionedLease;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * One process's way to the store. Requests and answers are delayed, at times by far more than a ttl, and get lost: then
 * the call ends as a client library ends it, after a while and without an answer. Calls may throw errors.
 */
final class Line implements LeaseStore {

    /** What becomes of one call, and how long its two ways take. */
    record Fate(Kind kind, long toStore, long toCaller) {
        enum Kind {
            CARRIED_OUT,
            /** Never reached the store. */
            REQUEST_LOST,
            /** Carried out, and nobody heard. */
            ANSWER_LOST
        }
    }

    private static final double LOST = 0.08;
    private static final double ERRORS = 0.02;
    private static final long CLIENT_TIMEOUT_SECONDS = 3;

    private final MemoryLeaseStore store;
    private final Dice dice;
    private final boolean watched;
    private final Map<String, Long> writesFailUntil = new HashMap<>();
    private long cutUntil;
    private long lateUntil;
    private boolean healed;
    private boolean throwing;
    private long answerDelay;
    private long now;
    private Fate.Kind present = Fate.Kind.CARRIED_OUT;

    Line(MemoryLeaseStore store, Dice dice, boolean watched) {
        this.store = store;
        this.dice = dice;
        this.watched = watched;
    }

    void cut(long until) {
        cutUntil = Math.max(cutUntil, until);
    }

    /** Until then no write to this election's record is carried out; all else is. */
    void failWrites(String election, long until) {
        writesFailUntil.merge(election, until, Math::max);
    }

    /** The answers to writes to the records of elections that are sent until then come very late. */
    void answerLate(long until) {
        lateUntil = until;
    }

    /** From now on, until {@link #heal}, a call throws an {@link Error} at times. */
    void throwErrors() {
        throwing = true;
    }

    /** From now on every call is carried out soon, until the line is cut again. */
    void heal() {
        healed = true;
        throwing = false;
        cutUntil = 0;
        lateUntil = 0;
        writesFailUntil.clear();
    }

    Fate draw(long sentAt) {
        now = sentAt;
        long timeout = dice.seconds(0.1, CLIENT_TIMEOUT_SECONDS);
        if (healed && now >= cutUntil) {
            return new Fate(Fate.Kind.CARRIED_OUT, dice.seconds(0.001, 0.02), dice.seconds(0.001, 0.02));
        }
        if (now < cutUntil || dice.chance(LOST)) {
            return new Fate(Fate.Kind.REQUEST_LOST, timeout, 0);
        }
        Fate.Kind kind = dice.chance(LOST) ? Fate.Kind.ANSWER_LOST : Fate.Kind.CARRIED_OUT;
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

    /** How long what the present call hands to the loop takes to get there. Zero outside {@link #carryOut}. */
    long answerDelay() {
        return answerDelay;
    }

    @Override
    public VersionedLease read(String election) {
        if (present != Fate.Kind.CARRIED_OUT) {
            throw new StoreUnavailableException("lost on the way");
        }
        throwPerhaps();
        return store.read(election);
    }

    @Override
    public CasOutcome compareAndSet(String election, LeaseVersion expected, LeaseRecord next) {
        throwPerhaps();
        if (present == Fate.Kind.REQUEST_LOST || now < writesFailUntil.getOrDefault(election, 0L)) {
            return new CasOutcome.Unknown("lost on the way there");
        }
        CasOutcome outcome = store.compareAndSet(election, expected, next);
        if (now < lateUntil && !election.startsWith("~session/")) {
            answerDelay = dice.seconds(22, 32);
        }
        throwPerhaps();
        return present == Fate.Kind.ANSWER_LOST ? new CasOutcome.Unknown("lost on the way back") : outcome;
    }

    @Override
    public Optional<Watch> watch(String election, Runnable changed) {
        return watched ? store.watch(election, changed) : Optional.empty();
    }

    @Override
    public StorePromises promises() {
        return store.promises();
    }

    @Override
    public void close() {}

    private void throwPerhaps() {
        if (throwing && dice.chance(ERRORS)) {
            throw new InjectedError();
        }
    }

    /** Some answers come after the session that they were asked under has been lost, and another record was taken. */
    private long delay() {
        double luck = dice.unit();
        if (luck < 0.6) {
            return dice.seconds(0.001, 0.05);
        }
        if (luck < 0.9) {
            return dice.seconds(0.05, 1.5);
        }
        return luck < 0.98 ? dice.seconds(1.5, 9) : dice.seconds(9, 40);
    }

    /** As memory that runs out would cause it. */
    static final class InjectedError extends Error {
        private static final long serialVersionUID = 1;

        InjectedError() {
            super("injected", null, false, false);
        }
    }
}
