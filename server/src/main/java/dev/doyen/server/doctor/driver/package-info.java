/** Measures what a doctor judges: calls the store, waits for its announcements, reads the clocks. */
@NullMarked
package dev.doyen.server.doctor.driver;

import org.jspecify.annotations.NullMarked;
