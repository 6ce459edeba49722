/**
 * An example to copy: one of several processes holds a TCP feed and passes its lines on to all.
 *
 * <p>No line is lost, whichever process is killed. {@link dev.doyen.examples.feed.FeedNode} is the program.
 */
@NullMarked
package dev.doyen.examples.feed;

import org.jspecify.annotations.NullMarked;
