package dev.doyen.simulator.world;

import dev.doyen.event.ElectionEvent;
import dev.doyen.lease.LeaseEffect;
import dev.doyen.lease.LeaseInput;
import dev.doyen.store.VersionedLease;

/**
 * Who sees everything that happens in a world, at the true time it happens. Throws {@link Violation} if it must not.
 */
public interface Witness {

    /** A machine has taken an input; its effects have not been carried out yet. */
    default void stepped(SimCandidate candidate, LeaseInput input) {}

    /** A candidate sends a write; what it does to the store is not known yet. */
    default void sent(SimCandidate candidate, LeaseEffect.Write write) {}

    /** The store has carried out a write that was sent at true time {@code sentAt}. */
    default void committed(SimCandidate by, VersionedLease before, VersionedLease after, long sentAt) {}

    /** Somebody who is no candidate has written into a record: an order, a pause, or a hand that edits it. */
    default void overwritten(String election, VersionedLease before, VersionedLease after) {}

    default void told(SimCandidate candidate, ElectionEvent event) {}

    /** A leader was promised that the hand-over states up to {@code state} are stored. */
    default void saveConfirmed(SimCandidate candidate, long state) {}

    default void ended(SimCandidate candidate) {}

    /** {@code isLeader()} answers true now. Seen whenever it may have become true, and at each step. */
    default void claims(SimCandidate candidate) {}

    /** {@code isLeader()} answered true from {@code from} to, but not including, {@code to}. */
    default void claimEnded(SimCandidate candidate, long term, long from, long to) {}

    /** The work of a term has done something to the outside world. */
    default void acted(SimCandidate candidate, long term) {}

    /** The run is over. */
    default void finish(World world) {}
}
