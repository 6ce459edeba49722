/**
 * What the hub's console shows: figures, who leads and led, who was refused and why. It looks on, and decides nothing.
 *
 * <p>Threads: what is counted belongs to the hub's thread; see {@link dev.doyen.server.console.ConsoleFeed}.
 */
@NullMarked
package dev.doyen.server.console;

import org.jspecify.annotations.NullMarked;
