/**
 * An example to copy: of several processes one holds a TCP feed and passes its lines on to all, none lost, whoever is
 * killed. {@link dev.doyen.examples.feed.FeedNode} is the program.
 */
@NullMarked
package dev.doyen.examples.feed;

import org.jspecify.annotations.NullMarked;
