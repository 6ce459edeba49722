/**
 * Decides whether a viewer may use a console, and sends the content at regular intervals.
 *
 * <p>The hub or the ring member provides the content through {@link dev.doyen.elector.console.ConsoleContent}. One
 * thread owns the content. The package decides nothing about leadership. Start with {@code ConsoleHandler}.
 */
@NullMarked
package dev.doyen.elector.console;

import org.jspecify.annotations.NullMarked;
