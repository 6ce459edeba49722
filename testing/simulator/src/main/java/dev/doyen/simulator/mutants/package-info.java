/**
 * Breaks one rule at a time and checks that an invariant notices it.
 *
 * <p>A mutant replaces lines in the machine's own sources. It runs in the same simulated worlds as the original. If no
 * invariant reports it, the invariants do not check the rule. Start reading at
 * {@link dev.doyen.simulator.mutants.MutantTable}.
 */
@NullMarked
package dev.doyen.simulator.mutants;

import org.jspecify.annotations.NullMarked;
