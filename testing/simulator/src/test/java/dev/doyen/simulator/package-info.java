/** Tests the simulated worlds, the mutants, and the specs of the protocols. */
@NullMarked
package dev.doyen.simulator;

import org.jspecify.annotations.NullMarked;
