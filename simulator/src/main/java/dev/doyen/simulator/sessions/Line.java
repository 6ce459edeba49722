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
import java.util.Optional;

/**
 * One process's way to the store. Requests and answers are delayed, by seconds at times, and get lost: then the call
 * ends as a client library ends it, after a while and without an answer.
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
    private static final long CLIENT_TIMEOUT_SECONDS = 3;

    private final MemoryLeaseStore store;
    private final Dice dice;
    private final boolean watched;
    private long cutUntil;
    private boolean healed;
    private Fate.Kind present = Fate.Kind.CARRIED_OUT;

    Line(MemoryLeaseStore store, Dice dice, boolean watched) {
        this.store = store;
        this.dice = dice;
        this.watched = watched;
    }

    void cut(long until) {
        cutUntil = Math.max(cutUntil, until);
    }

    /** From now on every call is carried out, soon. */
    void heal() {
        healed = true;
    }

    Fate draw(long now) {
        if (healed) {
            return new Fate(Fate.Kind.CARRIED_OUT, dice.seconds(0.001, 0.02), dice.seconds(0.001, 0.02));
        }
        long timeout = dice.seconds(0.1, CLIENT_TIMEOUT_SECONDS);
        if (now < cutUntil || dice.chance(LOST)) {
            return new Fate(Fate.Kind.REQUEST_LOST, timeout, 0);
        }
        Fate.Kind kind = dice.chance(LOST) ? Fate.Kind.ANSWER_LOST : Fate.Kind.CARRIED_OUT;
        return new Fate(kind, delay(), kind == Fate.Kind.ANSWER_LOST ? timeout : delay());
    }

    void carryOut(Fate fate, Runnable call) {
        present = fate.kind();
        call.run();
        present = Fate.Kind.CARRIED_OUT;
    }

    @Override
    public VersionedLease read(String election) {
        if (present != Fate.Kind.CARRIED_OUT) {
            throw new StoreUnavailableException("lost on the way");
        }
        return store.read(election);
    }

    @Override
    public CasOutcome compareAndSet(String election, LeaseVersion expected, LeaseRecord next) {
        if (present == Fate.Kind.REQUEST_LOST) {
            return new CasOutcome.Unknown("lost on the way there");
        }
        CasOutcome outcome = store.compareAndSet(election, expected, next);
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

    private long delay() {
        double luck = dice.unit();
        if (luck < 0.6) {
            return dice.seconds(0.001, 0.05);
        }
        return luck < 0.9 ? dice.seconds(0.05, 1.5) : dice.seconds(1.5, 9);
    }
}
