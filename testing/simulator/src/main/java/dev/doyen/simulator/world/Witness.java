package dev.doyen.simulator.world;

import dev.doyen.event.ElectionEvent;
import dev.doyen.lease.LeaseEffect;
import dev.doyen.lease.LeaseInput;
import dev.doyen.store.VersionedLease;

/**
 * Receives all events of a world, at their true time.
 *
 * <p>A method throws {@link Violation} if an event breaks a promise.
 */
public interface Witness {

    /** A machine has taken an input. The effects of the step have not been carried out yet. */
    default void stepped(SimCandidate candidate, LeaseInput input) {}

    /** A candidate sends a write. The outcome of the write is not known yet. */
    default void sent(SimCandidate candidate, LeaseEffect.Write write) {}

    /** The store has carried out a write that was sent at true time {@code sentAt}. */
    default void committed(SimCandidate by, VersionedLease before, VersionedLease after, long sentAt) {}

    /**
     * A party other than a candidate has written into a record.
     *
     * <p>The write is an admin command, the end of a pause or a manual edit.
     */
    default void overwritten(String election, VersionedLease before, VersionedLease after) {}

    default void onEvent(SimCandidate candidate, ElectionEvent event) {}

    /** A leader has received the confirmation that all its saves up to {@code state} are stored. */
    default void saveConfirmed(SimCandidate candidate, long state) {}

    default void ended(SimCandidate candidate) {}

    /** {@code isLeader()} returns true now. Called at each step, and whenever a claim to lead can have begun. */
    default void claims(SimCandidate candidate) {}

    /** {@code isLeader()} returned true from {@code from} (inclusive) to {@code to} (exclusive). */
    default void claimEnded(SimCandidate candidate, long term, long from, long to) {}

    /** The work of a term has changed the outside world. */
    default void acted(SimCandidate candidate, long term) {}

    /** The run is over. */
    default void finish(World world) {}
}
