package dev.doyen.driver;

import dev.doyen.event.Leader;
import dev.doyen.event.Moment;
import dev.doyen.lease.LeaseState;
import dev.doyen.lease.Sessions;
import java.util.Optional;

/**
 * What one loop knows, as of its last step. Immutable, so that any thread may read it.
 *
 * @param sessions what was known of sessions at that step
 */
public record LeaseView(LeaseState state, Sessions sessions) {

    /** Who leads, as far as is known. */
    public Optional<Leader> leader() {
        return state.leader();
    }

    /** When the store last answered. */
    public Optional<Moment> lastConfirmed() {
        return state.lastConfirmed();
    }
}
