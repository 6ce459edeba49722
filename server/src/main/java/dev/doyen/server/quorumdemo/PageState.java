package dev.doyen.server.quorumdemo;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The state of the page, as JSON. Times are in milliseconds since the epoch.
 *
 * @param at the time of this state
 * @param started whether the members were started
 * @param canFreeze whether this system has the command {@code kill}
 * @param changing whether a member is being added or removed
 * @param ttl after which a silent leader is replaced, in milliseconds
 * @param count the greatest number that a leader saved
 * @param leader the leader of the election; null if no member reports that it leads
 * @param quorum who votes
 * @param events the newest first
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
        List<Leaderships.Stretch> leaderships,
        List<Event> events) {

    /** The leader of the election. */
    public record Leading(int member, long term) {}

    /**
     * Who votes.
     *
     * @param voters how many members vote
     * @param needed how many of them are a majority
     * @param available how many of them run and reach the others
     * @param logLeader the member that leads the log; null if none does
     */
    public record Quorum(
            int voters, int needed, int available, @Nullable Integer logLeader) {}

    /**
     * One member.
     *
     * @param state {@code starting}, {@code running}, {@code frozen} or {@code ended}
     * @param cut whether its connections to the others were cut
     * @param leaving whether it is being removed
     * @param role its role in Raft in lower case; null before the first report
     * @param term the term of Raft
     * @param leads whether it leads the election
     * @param sees which member it observes as the leader of the election; null if none
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

    /** Something that happened, as a sentence. */
    public record Event(long at, String text) {}
}
