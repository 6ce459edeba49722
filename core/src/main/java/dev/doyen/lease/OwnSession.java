package dev.doyen.lease;

import dev.doyen.event.Moment;
import dev.doyen.store.Epoch;

/**
 * This process's session while it leads it (rule L12). Immutable: each renewal makes a new one.
 *
 * @param epoch the epoch under which this process's leases are held
 * @param grant the right to lead the session's record; it bounds every lease that is held under the epoch
 */
public record OwnSession(Epoch epoch, Grant grant) {

    public OwnSession {
        if (epoch.term() != grant.term()) {
            throw new IllegalArgumentException("the epoch has term " + epoch.term() + ", but its grant has term "
                    + grant.term() + "; they must be equal");
        }
    }

    /** The session whose record has this name. */
    public static OwnSession of(String session, Grant grant) {
        return new OwnSession(new Epoch(session, grant.term()), grant);
    }

    /** True while the session is led, by both clocks (rule L4). */
    boolean holdsAt(Moment now) {
        return grant.holdsAt(now);
    }
}
