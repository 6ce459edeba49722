/**
 * Ring election as a machine: {@link dev.doyen.ring.RingMachine} takes a state and an input and returns the next state
 * and the effects. The members of a view pass messages round a ring; no store is needed. Rules R1-R12 of
 * docs/spec/ring.md are decided here and nowhere else, and H1-H3 for a leader that hands over, and T1-T5 for saved state.
 *
 * <p>Assumption on membership: two members that install a view of the same id install the same members.
 *
 * <p>No clock, thread, randomness, I/O or logger in here.
 */
@NullMarked
package dev.doyen.ring;

import org.jspecify.annotations.NullMarked;
