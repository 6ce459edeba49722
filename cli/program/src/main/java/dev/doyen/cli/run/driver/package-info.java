/**
 * Carries out the decisions of the run machine.
 *
 * <p>It runs the candidate, the command with its processes, the signals, and the file with the saved state. A guard
 * process kills the command if this process dies or is suspended. Start with {@code RunDriver}.
 */
@NullMarked
package dev.doyen.cli.run.driver;

import org.jspecify.annotations.NullMarked;
