/**
 * The world that lease machines are run in: true time, processes with clocks of their own, a network that delays and
 * loses, a store that does not forget, and work done under each term. Everything is drawn from one seed; no thread, no
 * wall clock. It judges nothing: {@link dev.doyen.simulator.world.Witness} sees what happens.
 */
@NullMarked
package dev.doyen.simulator.world;

import org.jspecify.annotations.NullMarked;
