package dev.doyen.demo.quorum;

import dev.doyen.event.LossCause;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A report that a member's process prints about its candidate and its Raft member.
 *
 * @param atNanos the time of the report, in nanoseconds of {@link System#nanoTime}
 */
public record MemberReport(long atNanos, Candidacy candidacy, Raft raft) {

    /**
     * The candidate of this process.
     *
     * @param leads true if the candidate certainly led at the time of the report
     * @param term the term of the candidate's current or last leadership; 0 before its first leadership
     * @param count the last number that the candidate saved or that it received with the leadership
     * @param lost the reason why the candidate's last leadership ended; null if the candidate has never led or still
     *     leads
     * @param leader the leader that this candidate observes; null if there is none
     * @param leaderTerm the term of that leader; 0 if there is no leader
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
        /** Orders the writes and sends them to the other members. */
        LEADER,
        FOLLOWER,
        /** The member is a voter that knows no Raft leader. */
        CANDIDATE,
        /** Receives the log and does not vote. */
        LEARNER,
        /** The member has not found the other members yet. */
        WAITING
    }

    /**
     * The Raft member of this process, and its observations of the other members.
     *
     * @param term the Raft term, which is not a term of the election
     * @param committed the last known commit index of this member
     * @param applied the index up to which this member has applied the log
     * @param leader the address of the Raft leader; null if it is not known
     * @param members all members, including this one; empty if the role is {@link Role#WAITING}
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

        /** Returns the state of a member that has not found the other members yet. */
        public static Raft waiting() {
            return WAITING;
        }
    }

    /** The state of one member, as the reporting member observes it. */
    public record Peer(String address, boolean votes, boolean reachable) {}
}
