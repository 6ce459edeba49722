package dev.doyen.election;

import dev.doyen.event.Leader;
import java.util.Optional;

/**
 * Receives the changes of the leader.
 *
 * <p>If it throws, the exception is logged. Other listeners and later changes are not affected.
 *
 * <p>Threads: callbacks run on threads of their own and may block. At most 256 callbacks of one process run at a time.
 * Further ones wait.
 */
@FunctionalInterface
public interface LeaderListener {

    /**
     * Called when the leader has changed.
     *
     * @param leader empty if no leader is known. A slow listener receives only the latest of several changes
     */
    void leaderChanged(Optional<Leader> leader);
}
