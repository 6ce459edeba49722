package dev.doyen.election;

import dev.doyen.event.Leader;
import java.util.Optional;

/**
 * Receives the changes of the leader.
 *
 * <p>If a listener throws, the exception is logged. Other listeners and later changes are not affected.
 *
 * <p>Threads: callbacks run on callback threads and may block. At most 256 callbacks run at a time in one election, or
 * in all elections that share their threads. Further callbacks wait.
 */
@FunctionalInterface
public interface LeaderListener {

    /**
     * Called first for the present leader, and then when the leader has changed.
     *
     * @param leader the present leader; empty if no leader is known. If several changes occur before a slow listener is
     *     called, it possibly receives only the latest change
     */
    void leaderChanged(Optional<Leader> leader);
}
