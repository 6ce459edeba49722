package dev.doyen.driver;

import dev.doyen.event.Leader;
import dev.doyen.event.Moment;
import dev.doyen.lease.LeaseState;
import dev.doyen.lease.Sessions;
import java.util.Optional;

/**
 * The state of a loop after its last step. Immutable, so any thread may read it.
 *
 * @param sessions the sessions that the process had observed at that step
 */
public record LeaseView(LeaseState state, Sessions sessions) {

    /** Returns the leader; empty if no leader is known. */
    public Optional<Leader> leader() {
        return state.leader();
    }

    /** Returns the time of the last answer of the store; empty before the first answer. */
    public Optional<Moment> lastConfirmed() {
        return state.lastConfirmed();
    }
}
