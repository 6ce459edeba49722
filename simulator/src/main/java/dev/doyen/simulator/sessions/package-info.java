/**
 * Rule L12 in a seeded world: here not the machine alone is what ships, but the driver too. Each process's
 * {@link dev.doyen.driver.LeaseLoop}s, its session and its batches run on threads whose time is the simulator's.
 */
@NullMarked
package dev.doyen.simulator.sessions;

import org.jspecify.annotations.NullMarked;
