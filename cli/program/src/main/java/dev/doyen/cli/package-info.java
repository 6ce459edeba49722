/**
 * The {@code doyen} program: its commands, flags, environment, output and exit codes.
 *
 * <p>The exit code is 0 for success, 1 for a failure and 2 for a usage error, unless the help of a command lists
 * other codes. The commands call the packages that do the work. Start reading at {@code Doyen}.
 */
@NullMarked
package dev.doyen.cli;

import org.jspecify.annotations.NullMarked;
