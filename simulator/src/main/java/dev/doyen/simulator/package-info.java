/**
 * Runs the shipped lease machine by the thousand, each run in a {@link dev.doyen.simulator.world.World} drawn from one
 * seed, under {@link dev.doyen.simulator.faults}, watched by {@link dev.doyen.simulator.invariants}; first faults and
 * safety, then no faults and healing. {@link dev.doyen.simulator.Main} is what {@code ./dev sim} starts.
 */
@NullMarked
package dev.doyen.simulator;

import org.jspecify.annotations.NullMarked;
