/**
 * The state of the quorum demonstration: its members, their leaderships, and the events.
 *
 * <p>The package decides which action is allowed, and builds the sentences of the page. It reads no clock, starts no
 * thread and does no I/O. Start with {@link dev.doyen.server.quorumdemo.Demonstration}; the package {@code driver}
 * starts the processes and serves the page.
 */
@NullMarked
package dev.doyen.server.quorumdemo;

import org.jspecify.annotations.NullMarked;
