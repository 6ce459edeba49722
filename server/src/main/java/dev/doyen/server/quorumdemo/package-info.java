/**
 * The state of the demonstration of the quorum store: its members, their leaderships, and the events. It decides
 * which command is allowed and writes the sentences of the page. It reads no clock, starts no thread and does no I/O.
 *
 * <p>Start reading at {@link dev.doyen.server.quorumdemo.Demonstration}. The package {@code driver} starts the processes
 * and serves the page.
 */
@NullMarked
package dev.doyen.server.quorumdemo;

import org.jspecify.annotations.NullMarked;
