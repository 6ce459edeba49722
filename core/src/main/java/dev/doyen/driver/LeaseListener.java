package dev.doyen.driver;

import dev.doyen.event.ElectionEvent;
import dev.doyen.event.Leader;
import dev.doyen.event.Moment;
import dev.doyen.lease.LeaseState;

/** Hears what a loop's machine decides, on the loop thread: must return at once, and hand on whatever takes time. */
public interface LeaseListener {

    /** An event; the loop's view already shows it. After {@code Lost} the listener owes {@link LeaseLoop#workStopped}. */
    void told(ElectionEvent event);

    /** A step has been made, whatever came of it; before its events are told. */
    default void observed(LeaseState state, Moment now) {}

    /** Standing, and kept waiting by this leader's lease. */
    default void blocked(Leader by) {}

    /** The saves up to this number are stored. */
    default void saved(long save) {}

    /** A resignation, withdrawal or leave is done, as far as it can be. */
    default void settled() {}

    /** The loop has ended after {@link LeaseLoop#leave}. */
    default void ended() {}
}
