package dev.doyen.lease;

import dev.doyen.event.Moment;
import dev.doyen.store.Epoch;

/**
 * The session of this process, while the process leads it (rule L12).
 *
 * <p>Immutable: each renewal makes a new one.
 *
 * @param epoch the epoch under which this process holds its leases
 * @param leaderLease the right to lead the session; it limits every lease under the epoch
 */
public record OwnSession(Epoch epoch, LeaderLease leaderLease) {

    public OwnSession {
        if (epoch.term() != leaderLease.term()) {
            throw new IllegalArgumentException("the epoch has term " + epoch.term() + ", but its leader lease has term "
                    + leaderLease.term() + "; they must be equal");
        }
    }

    /** Returns the session whose record has this name. */
    public static OwnSession of(String session, LeaderLease leaderLease) {
        return new OwnSession(new Epoch(session, leaderLease.term()), leaderLease);
    }

    /** Returns true if the process leads the session at {@code now}, by both clocks (rule L4). */
    boolean holdsAt(Moment now) {
        return leaderLease.holdsAt(now);
    }
}
