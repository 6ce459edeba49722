package dev.doyen.driver;

import dev.doyen.event.Leader;
import dev.doyen.event.Moment;
import dev.doyen.lease.LeaseState;

/** What a loop over a lease tells beyond the events; on the loop thread as well. */
public interface LeaseListener extends LoopListener {

    /** A step has been made, whatever came of it; before its events are told. */
    default void observed(LeaseState state, Moment now) {}

    /** Standing, and kept waiting by this leader's lease. */
    default void blocked(Leader by) {}
}
