package dev.doyen.group;

import dev.doyen.election.JoinableElection;

/**
 * A named election on a ring. The ring needs a membership, but no store.
 *
 * <p>Each process has at most one candidate. The id of the candidate is the id of its
 * {@link dev.doyen.membership.Member}.
 *
 * <p>Suppose that all members of a view have installed the view, no message is lost, and at least one member campaigns.
 * Then, after a limited time, exactly one member leads, and all members report it as the leader (docs/spec/ring.md).
 * <b>During a network partition each side has a leader.</b> Use a ring only for work that may be done twice, or whose
 * results stay on one side of a partition. If two leaders would do harm, use {@link dev.doyen.Election#lease} with a
 * store. The processes themselves can form that store ({@code quorum:}).
 *
 * <p>Threads: any, including virtual threads. An election has a loop thread and a few threads for callbacks. All of
 * them are daemon threads.
 */
public interface RingElection extends JoinableElection {

    /**
     * Prepares an election on a ring.
     *
     * @param name the name of the election, which is the same in every process: 1 to 250 characters without control
     *     characters
     * @throws IllegalArgumentException if the name breaks these rules
     */
    static RingElectionBuilder named(String name) {
        return new RingElectionBuilder(name);
    }

    /**
     * Adds the candidate of this process.
     *
     * <p>The candidate campaigns until it is closed, but for example not while it is paused, unhealthy or in a
     * cooldown. After the candidate has lost a leadership, it campaigns again.
     *
     * @param id the id of this process in the membership
     * @throws IllegalArgumentException if the id is not the id of this process in the membership
     * @throws IllegalStateException if the election is closed or this process already has a candidate
     */
    @Override
    RingCandidate join(String id);

    /** Returns the state of the ring in this process. */
    RingStatus status();

    /**
     * Closes the candidate and all observers, as {@link RingCandidate#close} does.
     *
     * <p>The process continues to forward messages until the membership ends. A shutdown hook calls this
     * method, unless {@link RingElectionBuilder#closeOnShutdown} is false.
     */
    @Override
    void close();
}
