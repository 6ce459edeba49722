package dev.doyen.group;

import dev.doyen.election.JoinableElection;

/**
 * A named election on a ring, which needs a membership and no store.
 *
 * <p>Each process is one candidate, whose id is the id of its {@link dev.doyen.membership.Member}.
 *
 * <p>The promise (docs/spec/ring.md): if a view is installed at all its members, exactly one of them leads, and all know
 * it. <b>During a network partition each side has a leader.</b> So a ring is for work that may be done twice, or whose
 * results the two sides do not share. If two leaders would do harm, use {@link dev.doyen.Election#lease} with a store.
 * The processes can keep that store themselves ({@code quorum:}).
 *
 * <p>Threads: any, including virtual threads. An election has a loop thread and a few threads for callbacks. All of them
 * are daemon threads.
 */
public interface RingElection extends JoinableElection {

    /**
     * Prepares an election on a ring.
     *
     * @param name the election; the same in every process. 1 to 250 characters, no control characters
     * @throws IllegalArgumentException if the name breaks these rules
     */
    static RingElectionBuilder named(String name) {
        return new RingElectionBuilder(name);
    }

    /**
     * Adds the candidate of this process, which campaigns until it is closed.
     *
     * <p>It also campaigns again after it has lost a leadership.
     *
     * @param id the id of this process in the membership
     * @throws IllegalArgumentException if the id is another one
     * @throws IllegalStateException if the election is closed, or if this process has a candidate already
     */
    @Override
    RingCandidate join(String id);

    /** Returns the state of the ring in this process. */
    RingStatus status();

    /**
     * Closes the candidate and all observers, as {@link RingCandidate#close} does.
     *
     * <p>The process goes on forwarding messages until the membership ends.
     */
    @Override
    void close();
}
