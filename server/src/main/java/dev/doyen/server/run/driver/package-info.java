/**
 * Carries out what the run machine decides: the election, the command's process and all it started, signals, the file
 * with the hand-over state, and a guard that kills the command if this process dies or stands still.
 *
 * <p>Entry type: {@code RunDriver}.
 */
@NullMarked
package dev.doyen.server.run.driver;

import org.jspecify.annotations.NullMarked;
