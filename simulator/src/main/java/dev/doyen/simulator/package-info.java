/**
 * Runs the shipped lease machine in many simulated worlds and checks that it breaks no promise.
 *
 * <p>Each run happens in a {@link dev.doyen.simulator.world.World} drawn from one seed. It suffers {@link
 * dev.doyen.simulator.faults}, and {@link dev.doyen.simulator.invariants} check it. The first phase has faults and
 * checks safety; the second has none and checks healing. Start reading at {@link dev.doyen.simulator.Main}, the program
 * behind {@code ./dev sim}.
 */
@NullMarked
package dev.doyen.simulator;

import org.jspecify.annotations.NullMarked;
