/**
 * Breaks rules on purpose and checks that seeded worlds report it.
 *
 * <p>The tests of all modules that have machines use it. Start reading at {@link dev.doyen.mutants.Mutant}.
 */
@NullMarked
package dev.doyen.mutants;

import org.jspecify.annotations.NullMarked;
