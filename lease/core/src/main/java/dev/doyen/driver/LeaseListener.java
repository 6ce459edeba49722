package dev.doyen.driver;

import dev.doyen.event.Leader;
import dev.doyen.event.Moment;
import dev.doyen.lease.LeaseState;

/**
 * Receives the events of a {@link LeaseLoop}, including events that ring elections do not have.
 *
 * <p>Threads: the loop thread, as for {@link LoopListener}.
 */
public interface LeaseListener extends LoopListener {

    /** Called after each step, before the listener receives the events of the step. */
    default void observed(LeaseState state, Moment now) {}

    /** Called for a candidate after each answer of the store that contains an unexpired lease of another leader. */
    default void blocked(Leader by) {}
}
