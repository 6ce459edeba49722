/**
 * What an elector's answers mean, and what to do next: no clock, thread, randomness or I/O in here.
 *
 * <p>Assumptions: times are nanoseconds of one clock that never goes back; who calls reads it once for each input.
 */
@NullMarked
package dev.doyen.client.sight;

import org.jspecify.annotations.NullMarked;
