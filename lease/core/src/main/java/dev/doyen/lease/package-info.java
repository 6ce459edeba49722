/**
 * Decides elections by lease, as a pure state machine.
 *
 * <p>{@link dev.doyen.lease.LeaseMachine} takes a state and an input, and returns the next state with its effects. This
 * package alone decides the rules L1-L7, L9, L10, L12 and M1-M7 of docs/spec/lease.md. It calls no clock, thread,
 * random number generator, I/O or logger. A driver does that: {@code dev.doyen.driver}, or your own. Start reading at
 * {@code LeaseMachine}.
 *
 * <p>The <em>rates</em> of the candidates' monotonic clocks must differ by at most 10 %. Their offsets may have any
 * size. Terms rise strictly, whatever the clocks do.
 */
@NullMarked
package dev.doyen.lease;

import org.jspecify.annotations.NullMarked;
