package dev.doyen;

import dev.doyen.event.Leader;
import dev.doyen.store.LeasePause;
import java.util.Optional;

/**
 * Sends admin commands to an election by writing them into its record.
 *
 * <p>They reach the leader wherever it runs. The leader obeys at its next renewal, or sooner if the store announces
 * changes (rules M1, M4).
 *
 * <p>Threads: any. Every method blocks for a few round trips to the store. Errors:
 * {@link dev.doyen.store.StoreUnavailableException} if the store does not answer; whether it has written the command is
 * then not known.
 */
public interface Control {

    /**
     * Asks the leader to step down.
     *
     * @param reason a text for people, written into the record; at most 255 characters, may be empty
     * @return the leader that was asked; empty if nobody leads, in which case nothing is written
     */
    Optional<Leader> resign(String reason);

    /**
     * Asks the leader to hand over to the candidate of this id.
     *
     * <p>If that candidate does not lead within half a ttl after the release, the others compete (rule M2).
     *
     * @param reason a text for people, written into the record; at most 255 characters, may be empty
     * @return the leader that was asked; empty if nobody leads, in which case nothing is written
     */
    Optional<Leader> transferTo(String id, String reason);

    /**
     * Pauses the election until {@link #resume} (rule M1).
     *
     * <p>The leader steps down, and no candidate acquires the lease.
     *
     * @param reason a text for people, written into the record; at most 255 characters, may be empty
     */
    void pause(String reason);

    /** Ends a pause. Returns the pause that was ended; empty if there was none. */
    Optional<LeasePause> resume();
}
