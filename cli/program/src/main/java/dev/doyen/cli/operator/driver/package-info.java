/**
 * Reads stores for operators' commands.
 *
 * <p>The package reads clocks, waits and calls stores. The package {@code cli.operator} evaluates the results. Start
 * with {@code ElectionObserver}.
 */
@NullMarked
package dev.doyen.cli.operator.driver;

import org.jspecify.annotations.NullMarked;
