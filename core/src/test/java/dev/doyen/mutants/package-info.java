/** Rules broken on purpose, and the seeded worlds that must notice; for the tests of core, and of modules that have machines. */
@NullMarked
package dev.doyen.mutants;

import org.jspecify.annotations.NullMarked;
