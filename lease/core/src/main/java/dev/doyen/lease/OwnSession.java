package dev.doyen.lease;

import dev.doyen.event.Moment;
import dev.doyen.store.Epoch;

/**
 * The session of this process, while the process leads it (rule L12).
 *
 * <p>Immutable: each renewal makes a new one.
 *
 * @param epoch the epoch under which this process holds its leases
 * @param grant the right to lead the session; it limits every lease under the epoch
 */
public record OwnSession(Epoch epoch, Grant grant) {

    public OwnSession {
        if (epoch.term() != grant.term()) {
            throw new IllegalArgumentException("the epoch has term " + epoch.term() + ", but its grant has term "
                    + grant.term() + "; they must be equal");
        }
    }

    /** Returns the session whose record has this name. */
    public static OwnSession of(String session, Grant grant) {
        return new OwnSession(new Epoch(session, grant.term()), grant);
    }

    /** Returns true if the process leads the session at {@code now}, by both clocks (rule L4). */
    boolean holdsAt(Moment now) {
        return grant.holdsAt(now);
    }
}
