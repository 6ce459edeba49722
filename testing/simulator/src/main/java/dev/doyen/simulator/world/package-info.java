/**
 * Models the world in which lease machines run.
 *
 * <p>It contains true time, processes with their own clocks, a network that delays and loses messages, a reliable
 * store, and work under each term. It draws everything from one seed, and uses no thread and no real clock. It checks
 * nothing itself; a {@link dev.doyen.simulator.world.Witness} receives all events. Start reading at
 * {@link dev.doyen.simulator.world.World}.
 */
@NullMarked
package dev.doyen.simulator.world;

import org.jspecify.annotations.NullMarked;
