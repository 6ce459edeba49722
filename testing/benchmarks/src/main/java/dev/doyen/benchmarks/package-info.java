/**
 * Compares Doyen with other leader elections, and reports the results.
 *
 * <p>Nothing here is published. Start reading at {@code Bench}.
 */
@NullMarked
package dev.doyen.benchmarks;

import org.jspecify.annotations.NullMarked;
