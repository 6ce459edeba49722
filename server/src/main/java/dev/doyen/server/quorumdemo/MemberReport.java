package dev.doyen.server.quorumdemo;

import dev.doyen.event.LossCause;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A report of the process of one member: its part in the election and its part in Raft.
 *
 * @param atNanos when it was read, in nanoseconds of {@link System#nanoTime}
 */
public record MemberReport(long atNanos, Candidacy candidacy, Raft raft) {

    /**
     * The candidate of this process.
     *
     * @param leads whether it led for certain at the time of the report
     * @param term of its present or last leadership; 0 before the first one
     * @param count the last number that it saved, or that it received with the leadership
     * @param lost why its last leadership ended; null if there was none, or if it goes on
     * @param leader the leader that this candidate observes; null if it observes none
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
        /** It orders the writes and sends them to the others. */
        LEADER,
        FOLLOWER,
        /** It asks the others for their votes. */
        CANDIDATE,
        /** It receives the log and does not vote. */
        LEARNER,
        /** It has not found the other members yet. */
        WAITING
    }

    /**
     * The member of this process, as it sees itself and the others.
     *
     * @param term the term of Raft, which is not a term of the election
     * @param committed the index up to which this member knows that the log is confirmed
     * @param applied the index up to which this member has carried out the log
     * @param leader the address of the member that leads the log; null if it is not known
     * @param members all members, this one included
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

        /** A member that waits for the others. */
        public static Raft waiting() {
            return WAITING;
        }
    }

    /** A member, as another one sees it. */
    public record Peer(String address, boolean votes, boolean reachable) {}
}
