package dev.doyen;

import dev.doyen.event.Leader;
import dev.doyen.store.LeasePause;
import java.util.Optional;

/**
 * Asks things of an election through its record, as an operator would: of whoever leads, wherever it runs. The leader
 * obeys when it next renews, or sooner if the store announces changes.
 *
 * <p>Threads: any; every method waits for the store, for a few round trips. Errors:
 * {@link dev.doyen.store.StoreUnavailableException} if the store does not answer; whether what was asked is written is
 * then not known.
 */
public interface Control {

    /**
     * Asks the leader to step down.
     *
     * @param reason for people; at most 255 characters, may be empty
     * @return whom it was asked of; empty if nobody leads, and then nothing was asked
     */
    Optional<Leader> resign(String reason);

    /**
     * Asks the leader to hand over to the candidate of this id. If that does not come within half a ttl, the others
     * compete.
     *
     * @return whom it was asked of; empty if nobody leads, and then nothing was asked
     */
    Optional<Leader> transferTo(String id, String reason);

    /** Lets nobody lead until {@link #resume}: the leader steps down, and no candidate takes the lease. */
    void pause(String reason);

    /** Returns the pause that was ended; empty if there was none. */
    Optional<LeasePause> resume();
}
