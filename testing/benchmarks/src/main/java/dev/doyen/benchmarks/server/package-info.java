/**
 * Starts the servers that the systems use, and counts the requests that reach them.
 *
 * <p>Start reading at {@link dev.doyen.benchmarks.server.Servers}.
 */
@NullMarked
package dev.doyen.benchmarks.server;

import org.jspecify.annotations.NullMarked;
