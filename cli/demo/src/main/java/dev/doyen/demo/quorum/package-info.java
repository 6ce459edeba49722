/**
 * The state of the quorum demonstration: its members, their leaderships, and the events.
 *
 * <p>The package decides which actions are allowed and builds the sentences of the page. It reads no clock, starts no
 * thread and does no I/O. The package {@code driver} starts the processes and serves the page. Start with
 * {@link dev.doyen.demo.quorum.Demonstration}.
 */
@NullMarked
package dev.doyen.demo.quorum;

import org.jspecify.annotations.NullMarked;
