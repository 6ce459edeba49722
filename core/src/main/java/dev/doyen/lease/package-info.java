/**
 * Lease election as a machine: {@link dev.doyen.lease.LeaseMachine} takes a state and an input and returns the next
 * state and the effects. Rules L1-L10 of docs/spec/lease.md are decided here and nowhere else.
 *
 * <p>Assumption on clocks: the <em>rates</em> of the monotonic clocks of all candidates differ by less than 10 %; their
 * offsets are arbitrary and never compared. Terms rise strictly whatever any clock does.
 *
 * <p>No clock, thread, randomness, I/O or logger in here: bring your own driver, or use {@code dev.doyen.driver}.
 */
@NullMarked
package dev.doyen.lease;

import org.jspecify.annotations.NullMarked;
