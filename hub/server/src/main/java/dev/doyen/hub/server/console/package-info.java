/** The package builds the content of a hub's console: counters, leaderships and rejections. */
@NullMarked
package dev.doyen.hub.server.console;

import org.jspecify.annotations.NullMarked;
