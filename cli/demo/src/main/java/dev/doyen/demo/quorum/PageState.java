package dev.doyen.demo.quorum;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The state that the page receives as JSON. Times are in milliseconds since the epoch.
 *
 * @param at the time of this state
 * @param started true if the members have been started
 * @param canFreeze true if this system has the command {@code kill}
 * @param changing true if a member is being added or removed
 * @param ttl the time after which a silent leader is replaced, in milliseconds
 * @param count the highest number that a leader has saved
 * @param leader the leader of the election; null if no member reports that it leads
 * @param quorum the voters
 * @param events the latest events, newest first
 */
public record PageState(
        long at,
        boolean started,
        boolean canFreeze,
        boolean changing,
        long ttl,
        long count,
        @Nullable Leading leader,
        Quorum quorum,
        List<Member> members,
        List<LeadershipHistory.Stretch> leaderships,
        List<Event> events) {

    /** The leader of the election. */
    public record Leading(int member, long term) {}

    /**
     * The voters.
     *
     * @param voters the number of voters
     * @param needed the number of voters that form a majority
     * @param available the number of voters that run, are not cut off, and have found the other members
     * @param logLeader the member that is the Raft leader; null if no available member reports that it is the Raft
     *     leader
     */
    public record Quorum(
            int voters, int needed, int available, @Nullable Integer logLeader) {}

    /**
     * The state of one member.
     *
     * @param state {@code starting}, {@code running}, {@code frozen} or {@code ended}
     * @param cut true if the connections between the member and the other members are cut
     * @param leaving true if a change removes the member now
     * @param role the member's Raft role in lower case; null before the first report
     * @param term the Raft term
     * @param leads true if the member leads the election
     * @param sees the member that this member observes as the leader of the election; null if this member observes no
     *     leader
     * @param reaches the members that this member reaches
     * @param reachedBy the members that reach this member
     */
    public record Member(
            int number,
            long pid,
            String address,
            String state,
            boolean cut,
            boolean leaving,
            @Nullable String role,
            boolean votes,
            long term,
            long committed,
            long applied,
            boolean leads,
            @Nullable Leading sees,
            List<Integer> reaches,
            List<Integer> reachedBy) {}

    /** An event, written as a sentence. */
    public record Event(long at, String text) {}
}
