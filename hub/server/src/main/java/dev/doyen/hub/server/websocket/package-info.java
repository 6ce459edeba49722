/**
 * The driver of the hub: sockets on event loops, the hub's thread, and the queues between them.
 *
 * <p>An event loop decodes a frame and passes it to the hub's thread, which reads both clocks once per input. That
 * thread encodes each effect once per format, and passes it to the event loops in batches. The server stops reading a
 * socket with too many waiting inputs, and drops a socket that does not read. The hub's thread waits for an event loop
 * that has too much to write; an event loop never waits for the hub. Start with {@code HubLoop}.
 */
@NullMarked
package dev.doyen.hub.server.websocket;

import org.jspecify.annotations.NullMarked;
