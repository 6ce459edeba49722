/** What goes wrong in a world, one class per fault. Each begins with a run and is lifted for good before its end. */
@NullMarked
package dev.doyen.simulator.faults;

import org.jspecify.annotations.NullMarked;
