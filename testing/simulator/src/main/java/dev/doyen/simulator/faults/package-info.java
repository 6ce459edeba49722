/**
 * Decides which faults occur in a simulated world.
 *
 * <p>Each kind of fault has a class. A fault acts on processes, network and store of a
 * {@link dev.doyen.simulator.world.World}. A fault begins at the start of a run, and is lifted before the end of the
 * run. Start reading at {@link dev.doyen.simulator.faults.Fault}.
 */
@NullMarked
package dev.doyen.simulator.faults;

import org.jspecify.annotations.NullMarked;
