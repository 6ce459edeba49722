package dev.doyen.driver;

import dev.doyen.event.Leader;
import dev.doyen.event.Moment;
import dev.doyen.lease.LeaseState;

/**
 * Receives events of a {@link LeaseLoop} that only lease elections have.
 *
 * <p>Threads: the loop thread, as for {@link LoopListener}.
 */
public interface LeaseListener extends LoopListener {

    /** Called after each step, before the events of the step. */
    default void observed(LeaseState state, Moment now) {}

    /** Called while this candidate waits because this leader's lease has not expired. */
    default void blocked(Leader by) {}
}
