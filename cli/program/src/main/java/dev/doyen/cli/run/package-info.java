/**
 * Decides how a command runs that may run only while this process leads ({@code doyen run}).
 *
 * <p>The package is pure: the clock arrives with each input, and the result is a list of effects. {@code run.driver}
 * carries them out. Start with {@code RunMachine}.
 */
@NullMarked
package dev.doyen.cli.run;

import org.jspecify.annotations.NullMarked;
