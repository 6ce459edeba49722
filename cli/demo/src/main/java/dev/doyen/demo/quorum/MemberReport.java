package dev.doyen.demo.quorum;

import dev.doyen.event.LossCause;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A report of a member's process: its part in the election and in Raft.
 *
 * @param atNanos the time of the report, in nanoseconds of {@link System#nanoTime}
 */
public record MemberReport(long atNanos, Candidacy candidacy, Raft raft) {

    /**
     * The candidate of this process.
     *
     * @param leads whether it certainly led at the time of the report
     * @param term the term of its current or last leadership; 0 before the first one
     * @param count the last number that it saved, or that it received with the leadership
     * @param lost why its last leadership ended; null if there was none, or if it continues
     * @param leader the leader that this candidate observes; null if there is none
     * @param leaderTerm the term of that leader; 0 without one
     */
    public record Candidacy(
            boolean leads,
            long term,
            long count,
            @Nullable LossCause lost,
            @Nullable String leader,
            long leaderTerm) {}

    /** The role of a member in Raft. */
    public enum Role {
        /** AdminAccess the writes and sends them to the other members. */
        LEADER,
        FOLLOWER,
        /** Requests votes from the other members. */
        CANDIDATE,
        /** Receives the log and does not vote. */
        LEARNER,
        /** Has not found the other members yet. */
        WAITING
    }

    /**
     * The Raft member of this process, with its view of the others.
     *
     * @param term the Raft term, which is not a term of the election
     * @param committed the commit index that this member knows
     * @param applied the index up to which this member has applied the log
     * @param leader the address of the Raft leader; null if it is not known
     * @param members all members, including this one
     */
    public record Raft(
            Role role,
            boolean votes,
            long term,
            long committed,
            long applied,
            @Nullable String leader,
            List<Peer> members) {

        static final Raft WAITING = new Raft(Role.WAITING, false, 0, 0, 0, null, List.of());

        public Raft {
            members = List.copyOf(members);
        }

        /** A member that has not found the others yet. */
        public static Raft waiting() {
            return WAITING;
        }
    }

    /** A member as another member sees it. */
    public record Peer(String address, boolean votes, boolean reachable) {}
}
