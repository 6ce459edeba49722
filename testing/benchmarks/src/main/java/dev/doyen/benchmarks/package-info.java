/**
 * Compares Doyen with other leader elections, and reports the results.
 *
 * <p>The classes of this package are not published. Start with {@code Bench}.
 */
@NullMarked
package dev.doyen.benchmarks;

import org.jspecify.annotations.NullMarked;
