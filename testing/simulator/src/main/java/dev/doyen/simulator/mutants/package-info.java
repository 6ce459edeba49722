/**
 * Breaks one rule at a time and checks that an invariant detects the broken rule.
 *
 * <p>A mutant replaces lines in the machine's own sources. The mutant runs in the same simulated worlds as the
 * original. If no invariant detects the mutant, the invariants do not check its rule. Start reading at
 * {@link dev.doyen.simulator.mutants.MutantTable}.
 */
@NullMarked
package dev.doyen.simulator.mutants;

import org.jspecify.annotations.NullMarked;
