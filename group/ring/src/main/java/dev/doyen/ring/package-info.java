/**
 * Decides elections on a ring, as a pure state machine. The members of a view need no store.
 *
 * <p>{@link dev.doyen.ring.RingMachine} takes a state and an input, and returns the next state with its effects. This
 * package alone decides the rules R1-R13, H1-H3 (handover) and T1-T5 (saved state) of docs/spec/ring.md. The package
 * calls no clock, thread, random number generator, I/O or logger. Start with {@code RingMachine}.
 *
 * <p>Two views with the same id must contain the same members.
 */
@NullMarked
package dev.doyen.ring;

import org.jspecify.annotations.NullMarked;
