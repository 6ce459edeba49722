/**
 * Records an election on a ring for the ring visualizer.
 *
 * <p>The members are real ring machines. Network, membership and faults are simulated, and the same plan always yields
 * the same recording. The package reads no clock, starts no thread and does no I/O. Start with {@code RecordingParameters},
 * then {@code RecordedWorld} and {@code RecordingJson}.
 */
@NullMarked
package dev.doyen.demo.ring;

import org.jspecify.annotations.NullMarked;
