/**
 * Starts the servers of the systems under comparison, and counts their requests.
 *
 * <p>Start with {@link dev.doyen.benchmarks.server.Servers}.
 */
@NullMarked
package dev.doyen.benchmarks.server;

import org.jspecify.annotations.NullMarked;
