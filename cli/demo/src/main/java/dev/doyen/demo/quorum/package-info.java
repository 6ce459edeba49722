/**
 * The state of the quorum demonstration: its members, their leaderships, and the events.
 *
 * <p>The package decides which action is allowed, and builds the sentences of the page. It reads no clock, starts no
 * thread and does no I/O. Start with {@link dev.doyen.demo.quorum.Demonstration}; the package {@code driver}
 * starts the processes and serves the page.
 */
@NullMarked
package dev.doyen.demo.quorum;

import org.jspecify.annotations.NullMarked;
