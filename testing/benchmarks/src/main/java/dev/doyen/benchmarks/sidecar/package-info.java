/**
 * Measures the start of the image of {@code doyen elector} with a limited processor.
 *
 * <p>The package runs the image against a Kubernetes API server. Start with {@link
 * dev.doyen.benchmarks.sidecar.SidecarBench}.
 */
@NullMarked
package dev.doyen.benchmarks.sidecar;

import org.jspecify.annotations.NullMarked;
