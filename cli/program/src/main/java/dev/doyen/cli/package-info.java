/**
 * The {@code doyen} program: its commands, flags, environment, output and exit codes.
 *
 * <p>Exit codes are 0 for done, 1 for failed and 2 for misused, unless the help of a command lists others. The commands
 * call the packages that do the work. Start reading at {@code Doyen}.
 */
@NullMarked
package dev.doyen.cli;

import org.jspecify.annotations.NullMarked;
