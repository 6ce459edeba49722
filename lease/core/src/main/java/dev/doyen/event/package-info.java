/**
 * Events and values that all kinds of election share.
 *
 * <p>The values are the leader, its term, the cause of a loss, the saved state and a reading of the clocks. State
 * machines create these values, and the API in {@code dev.doyen} passes them to the application. This package calls no
 * other package. Start with {@link dev.doyen.event.ElectionEvent}.
 */
@NullMarked
package dev.doyen.event;

import org.jspecify.annotations.NullMarked;
