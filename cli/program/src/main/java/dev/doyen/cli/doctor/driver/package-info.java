/**
 * Takes the measurements for {@code doyen doctor}: calls the store, waits for announcements, and reads the clocks.
 *
 * <p>The package {@code cli.doctor} evaluates the measurements. Start with {@code Doctor}.
 */
@NullMarked
package dev.doyen.cli.doctor.driver;

import org.jspecify.annotations.NullMarked;
