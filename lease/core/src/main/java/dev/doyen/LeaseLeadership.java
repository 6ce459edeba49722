package dev.doyen;

import dev.doyen.election.Leadership;
import dev.doyen.election.NotLeaderException;
import dev.doyen.event.SavedState;

/** One term of a leader by lease, with its fencing token and the saved state. Threads: any. */
public interface LeaseLeadership extends Leadership {

    /**
     * Returns the fencing token, which rises with each new leadership and is never used twice.
     *
     * <p>Pass it with each write, and let the resource reject a term that is lower than one it has seen.
     */
    long term();

    /** Returns the last saved state: of this term, or else of an earlier leader. */
    SavedState state();

    /**
     * Saves a state for the next leader, and waits until the save is confirmed.
     *
     * <p>The store keeps the state in the record of the lease. The same compare-and-set that proves the leadership
     * writes it. It lasts as long as the record.
     *
     * @throws NotLeaderException if the term ended first. Whether the next leader receives the state is then not known
     * @throws InterruptedException if the calling thread is interrupted while it waits; the save may still succeed
     */
    void save(SavedState state) throws InterruptedException;
}
