/**
 * The package drives the hub. The package contains the sockets on event loops, the hub's thread, and the queues between
 * them.
 *
 * <p>An event loop decodes a frame and passes it to the hub's thread, which reads both clocks once per input. The hub's
 * thread encodes each effect once per format, and passes the encoded frames to the event loops in batches. The server
 * stops reading a socket with too many waiting inputs, and drops a socket whose client does not read. The hub's thread
 * waits for an event loop that has too many frames to write. An event loop never waits for the hub. Start reading at
 * {@code HubLoop}.
 */
@NullMarked
package dev.doyen.hub.server.websocket;

import org.jspecify.annotations.NullMarked;
