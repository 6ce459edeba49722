/**
 * Serves the ring visualizer at {@code /ring/} and makes its recordings, one at a time.
 *
 * <p>Start with {@code RingVisualizerHandler}.
 */
@NullMarked
package dev.doyen.demo.ring.driver;

import org.jspecify.annotations.NullMarked;
