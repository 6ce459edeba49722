package dev.doyen.lease;

import dev.doyen.event.Moment;
import dev.doyen.store.LeaseRecord;

/**
 * The session of this process, while the process holds it (rule L12).
 *
 * <p>The object is immutable, and each renewal creates a new object.
 *
 * @param epoch the epoch under which this process holds its leases
 * @param leaderLease the leader lease of the session, whose deadline limits every lease under the epoch
 */
public record OwnSession(LeaseRecord.Epoch epoch, LeaderLease leaderLease) {

    public OwnSession {
        if (epoch.term() != leaderLease.term()) {
            throw new IllegalArgumentException("the epoch has term " + epoch.term() + ", but its leader lease has term "
                    + leaderLease.term() + "; they must be equal");
        }
    }

    /** Returns the session whose record has this name. */
    public static OwnSession of(String session, LeaderLease leaderLease) {
        return new OwnSession(new LeaseRecord.Epoch(session, leaderLease.term()), leaderLease);
    }

    /** Returns true if the process holds the session at {@code now}, by both clocks (rule L4). */
    boolean holdsAt(Moment now) {
        return leaderLease.holdsAt(now);
    }
}
