/**
 * The console: decides whether a viewer is allowed, and sends the content every second.
 *
 * <p>The content comes from the hub or from the ring member; see {@link dev.doyen.elector.console.ConsoleContent}. One thread owns
 * it. The package decides nothing about leadership. Start with {@code ConsoleHandler}.
 */
@NullMarked
package dev.doyen.elector.console;

import org.jspecify.annotations.NullMarked;
