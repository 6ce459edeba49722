/**
 * Runs the shipped lease machine in simulated worlds and checks its promises.
 *
 * <p>Each run happens in a {@link dev.doyen.simulator.world.World} drawn from one seed.
 * {@link dev.doyen.simulator.faults} decides which faults occur, and {@link dev.doyen.simulator.invariants} checks
 * the run. The first phase has faults and checks safety. The second phase has no faults and checks healing. Start
 * reading at {@link dev.doyen.simulator.Main}, the program behind {@code ./dev sim}.
 */
@NullMarked
package dev.doyen.simulator;

import org.jspecify.annotations.NullMarked;
