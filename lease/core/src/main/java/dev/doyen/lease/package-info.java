/**
 * Decides elections by lease, as a pure state machine.
 *
 * <p>{@link dev.doyen.lease.LeaseMachine} takes a state and an input, and returns the next state with its effects.
 * This package implements the rules L1-L7, L9, L10, L12 and M1-M7 of docs/spec/lease.md. It uses no clock, thread,
 * random number generator, I/O or logger. The driver, {@code dev.doyen.driver}, uses them on behalf of the machine.
 * Start reading at {@code LeaseMachine}.
 *
 * <p>The <em>rates</em> of the candidates' monotonic clocks must differ by at most 10 %. The offsets of the clocks
 * may have any size. Terms rise strictly, even if the clocks are wrong.
 */
@NullMarked
package dev.doyen.lease;

import org.jspecify.annotations.NullMarked;
