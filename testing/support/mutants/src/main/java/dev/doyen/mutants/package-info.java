/**
 * Breaks rules on purpose and checks that seeded simulations report the broken rule.
 *
 * <p>The tests of all modules with state machines use this package. Start reading at {@link dev.doyen.mutants.Mutant}.
 */
@NullMarked
package dev.doyen.mutants;

import org.jspecify.annotations.NullMarked;
