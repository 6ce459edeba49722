/** The machines in thousands of worlds, their mutants, and the protocols' specs. */
@NullMarked
package dev.doyen.simulator;

import org.jspecify.annotations.NullMarked;
