/**
 * The shell of the hub: sockets on event loops, one thread that owns the hub, and the way between them.
 *
 * <p>A socket's frames are decoded on its event loop and handed to the hub's thread, which reads both clocks once for
 * each input; the effects are encoded there once per format and handed back, a batch per event loop. A socket
 * whose inputs pile up is not read, one that does not read is dropped; the hub waits for a loop that has far too much to
 * write, no loop waits for the hub. Entry type: {@code HubLoop}.
 */
@NullMarked
package dev.doyen.server.websocket;

import org.jspecify.annotations.NullMarked;
