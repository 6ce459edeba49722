/** Tests how {@code doyen doctor} evaluates its measurements. The tests use no clock and do not wait. */
@NullMarked
package dev.doyen.cli.doctor;

import org.jspecify.annotations.NullMarked;
