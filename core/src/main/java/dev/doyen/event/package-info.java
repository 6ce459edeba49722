/**
 * The words every way of electing shares: who leads, in which term, why a leadership ended, and a reading of the
 * clocks. Machines produce these values and the API in {@code dev.doyen} hands them on; nothing here acts.
 */
@NullMarked
package dev.doyen.event;

import org.jspecify.annotations.NullMarked;
