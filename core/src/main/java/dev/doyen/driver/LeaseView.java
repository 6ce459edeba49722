package dev.doyen.driver;

import dev.doyen.event.Leader;
import dev.doyen.event.Moment;
import dev.doyen.lease.Grant;
import java.util.Optional;

/**
 * What one loop knows, as of its last step. Immutable, so that any thread may read it; whether a grant still holds is
 * to be asked at the time of use.
 *
 * @param grant the right to lead, if this loop's candidate has it
 * @param leader who leads, as far as is known
 * @param lastConfirmed when the store last answered
 */
public record LeaseView(Optional<Grant> grant, Optional<Leader> leader, Optional<Moment> lastConfirmed) {
    static final LeaseView NOTHING = new LeaseView(Optional.empty(), Optional.empty(), Optional.empty());
}
