package dev.doyen.driver;

import dev.doyen.event.Leader;
import dev.doyen.event.Moment;
import dev.doyen.lease.LeaseState;
import dev.doyen.lease.Sessions;
import java.util.Optional;

/**
 * The state of a loop after its last step. Immutable, for any thread.
 *
 * @param sessions the sessions as known at that step
 */
public record LeaseView(LeaseState state, Sessions sessions) {

    /** Returns the leader, as far as known. */
    public Optional<Leader> leader() {
        return state.leader();
    }

    /** Returns when the store last answered. */
    public Optional<Moment> lastConfirmed() {
        return state.lastConfirmed();
    }
}
