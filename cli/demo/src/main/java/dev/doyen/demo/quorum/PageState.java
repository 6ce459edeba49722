package dev.doyen.demo.quorum;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The state of the page as JSON. Times are in milliseconds since the epoch.
 *
 * @param at the time of this state
 * @param started whether the members have been started
 * @param canFreeze whether this system has the command {@code kill}
 * @param changing whether a member is being added or removed
 * @param ttl the time after which a silent leader is replaced, in milliseconds
 * @param count the highest number that a leader has saved
 * @param leader the leader of the election; null if no member reports that it leads
 * @param quorum the voters
 * @param events newest first
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
     * @param needed how many of them form a majority
     * @param available how many of them run and reach the others
     * @param logLeader the member that is the Raft leader; null if there is none
     */
    public record Quorum(
            int voters, int needed, int available, @Nullable Integer logLeader) {}

    /**
     * One member.
     *
     * @param state {@code starting}, {@code running}, {@code frozen} or {@code ended}
     * @param cut whether its connections to the others are cut
     * @param leaving whether it is being removed
     * @param role its Raft role in lower case; null before the first report
     * @param term the Raft term
     * @param leads whether it leads the election
     * @param sees the member that it observes as the leader of the election; null if there is none
     * @param reaches the members that it reaches
     * @param reachedBy the members that reach it
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

    /** An event as a sentence. */
    public record Event(long at, String text) {}
}
