/**
 * Decides when {@code doyen run} starts and stops its command.
 *
 * <p>The command may run only while this process leads.
 *
 * <p>The package does no I/O. Each input contains the time, and the result is a list of effects. The package
 * {@code run.driver} carries out the effects. Start with {@code RunMachine}.
 */
@NullMarked
package dev.doyen.cli.run;

import org.jspecify.annotations.NullMarked;
