/**
 * The rules, broken one at a time: the machine's own sources with a line replaced, compiled aside, and run in the same
 * worlds. What the invariants cannot tell from the real thing, they do not check.
 */
@NullMarked
package dev.doyen.simulator.mutants;

import org.jspecify.annotations.NullMarked;
