/**
 * Records an election on a ring for the ring visualizer.
 *
 * <p>The members are real ring machines. The network, the membership and the faults are simulated. The same parameters
 * always yield the same recording. The package reads no clock, starts no thread and does no I/O. Start with {@code
 * RecordingParameters}, then {@code RecordedWorld} and {@code RecordingJson}.
 */
@NullMarked
package dev.doyen.demo.ring;

import org.jspecify.annotations.NullMarked;
