/**
 * The {@code doyen} program: flags, environment, what it prints, and its exit codes (0 done, 1 could not, 2 misused).
 *
 * <p>It reads no clock. Entry type: {@code Doyen}.
 */
@NullMarked
package dev.doyen.server.cli;

import org.jspecify.annotations.NullMarked;
