/** Rules broken on purpose, and the seeded worlds that must notice; for the tests of all modules that have machines. */
@NullMarked
package dev.doyen.mutants;

import org.jspecify.annotations.NullMarked;
