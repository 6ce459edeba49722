package dev.doyen;

import dev.doyen.election.Leadership;
import dev.doyen.election.NotLeaderException;
import dev.doyen.event.SavedState;

/** One term of a leader that was elected by lease. It has a fencing token and a saved state. Threads: any. */
public interface LeaseLeadership extends Leadership {

    /**
     * Returns the fencing token, which rises with each new leadership.
     *
     * <p>Send the term with each write to a protected resource. The resource must reject a term that is lower than the
     * highest term that it has accepted. Each token is used only once, unless the store loses a term. {@link
     * Fencing#REQUIRED} excludes such stores.
     */
    long term();

    /**
     * Returns the last saved state of this term. If no state was saved in this term, the result is the state of an
     * earlier leader, or {@link SavedState#EMPTY} if there is none.
     */
    SavedState state();

    /**
     * Saves a state for the next leader, and waits until the save is confirmed.
     *
     * <p>The store keeps the state in the record of the lease, for as long as the record exists. The next write of the
     * lease record also writes the state. This write is a compare-and-set, so it succeeds only if this leader still
     * holds the lease.
     *
     * @throws NotLeaderException if the term ended before the save was confirmed. In this case it is unknown whether
     *     the next leader receives the state
     * @throws InterruptedException if the calling thread is interrupted while it waits; the save can still succeed
     */
    void save(SavedState state) throws InterruptedException;
}
