/**
 * Models the world in which lease machines run.
 *
 * <p>A world contains the true time, processes with their own clocks, a network that delays and loses messages, a
 * reliable store, and the work of leaders. All random choices come from one seed, and the world uses no thread and no
 * real clock. The world checks nothing itself. A {@link dev.doyen.simulator.world.Witness} receives all events. Start
 * reading at {@link dev.doyen.simulator.world.World}.
 */
@NullMarked
package dev.doyen.simulator.world;

import org.jspecify.annotations.NullMarked;
