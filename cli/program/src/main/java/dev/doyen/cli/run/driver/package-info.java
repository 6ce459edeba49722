/**
 * Carries out the decisions of the run machine.
 *
 * <p>The package connects the run machine to the candidate, to the command's processes, to the signals, and to the
 * file with the saved state. A watchdog process kills the command if this process ends or is suspended too long.
 * Start with {@code RunDriver}.
 */
@NullMarked
package dev.doyen.cli.run.driver;

import org.jspecify.annotations.NullMarked;
