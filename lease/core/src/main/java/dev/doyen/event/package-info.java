/**
 * Events and values that all kinds of election share.
 *
 * <p>They are the leader, its term, the cause of a loss, the saved state and a reading of the clocks. Machines create
 * these values, and the API in {@code dev.doyen} passes them on. This package decides nothing and calls no other
 * package. Start with {@link dev.doyen.event.ElectionEvent}.
 */
@NullMarked
package dev.doyen.event;

import org.jspecify.annotations.NullMarked;
