package dev.doyen.roster;

import dev.doyen.membership.Member;
import dev.doyen.ranking.Role;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a member says of itself: its line in the roster (rule V2).
 *
 * @param seq numbers its writes; 0 before the first, when it is in a view but has not entered yet
 * @param role whether it claims
 * @param term the term of its claim, or the greatest it knew when it wrote
 * @param priority 0 to 100
 * @param eligible whether it may be elected
 * @param joined the number of the view in which it came: its place in the order
 */
public record Entry(long seq, Role role, long term, int priority, boolean eligible, long joined) {

    static Entry absent(long joined) {
        return new Entry(0, Role.FOLLOWER, 0, 0, false, joined);
    }

    boolean claims() {
        return role == Role.LEADER;
    }

    /** The same, but the claim is over. */
    Entry following() {
        return new Entry(seq, Role.FOLLOWER, term, priority, eligible, joined);
    }

    Entry joinedAt(long view) {
        return new Entry(seq, role, term, priority, eligible, view);
    }

    boolean entered() {
        return seq > 0;
    }

    /** As the ranking machine sees it. */
    dev.doyen.ranking.Member of(Member author) {
        return new dev.doyen.ranking.Member(
                author.toString(),
                author.id(),
                joined,
                role,
                term,
                OptionalLong.empty(),
                priority,
                eligible,
                OptionalLong.of(seq),
                Optional.empty());
    }
}
