/**
 * Decides what goes wrong in a simulated world.
 *
 * <p>Each kind of fault has a class. A fault acts on processes, network and store of a
 * {@link dev.doyen.simulator.world.World}. It begins with a run, and is lifted before the end of the run. Start reading
 * at {@link dev.doyen.simulator.faults.Fault}.
 */
@NullMarked
package dev.doyen.simulator.faults;

import org.jspecify.annotations.NullMarked;
