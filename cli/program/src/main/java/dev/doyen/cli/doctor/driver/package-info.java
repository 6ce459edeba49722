/**
 * Takes the measurements for {@code doyen doctor}: calls the store, waits for announcements, and reads the clocks.
 *
 * <p>{@code cli.doctor} evaluates them. Start with {@code Doctor}.
 */
@NullMarked
package dev.doyen.cli.doctor.driver;

import org.jspecify.annotations.NullMarked;
