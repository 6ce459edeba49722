/**
 * Provides an example to copy. One of several processes holds a connection to a TCP feed and sends the lines to all
 * processes.
 *
 * <p>No line is lost, even if any process is killed. {@link dev.doyen.examples.feed.FeedNode} is the program.
 */
@NullMarked
package dev.doyen.examples.feed;

import org.jspecify.annotations.NullMarked;
