/**
 * The console: decides whether a viewer is allowed, and sends the content every second.
 *
 * <p>It also builds the content for a hub: counters, leaderships and rejections. The content for a ring process is in
 * {@code server.member}. The package decides nothing about leadership. One thread owns the content; see
 * {@link dev.doyen.elector.console.Scene}. Start with {@code ConsoleSite}.
 */
@NullMarked
package dev.doyen.elector.console;

import org.jspecify.annotations.NullMarked;
