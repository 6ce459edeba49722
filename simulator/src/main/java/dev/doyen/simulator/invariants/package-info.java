/** What must hold in every run, one class per promise, told from true time and from what the store really did. */
@NullMarked
package dev.doyen.simulator.invariants;

import org.jspecify.annotations.NullMarked;
