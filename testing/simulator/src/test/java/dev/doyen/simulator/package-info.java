/** Tests of the simulated worlds, of the mutants, and of the protocols' specs. */
@NullMarked
package dev.doyen.simulator;

import org.jspecify.annotations.NullMarked;
