/**
 * Checks the promises that must hold in every run, with one class for each promise.
 *
 * <p>An invariant receives the true time and the actual content of the store through
 * {@link dev.doyen.simulator.world.Witness}. Start reading at {@link dev.doyen.simulator.invariants.Invariants}.
 */
@NullMarked
package dev.doyen.simulator.invariants;

import org.jspecify.annotations.NullMarked;
