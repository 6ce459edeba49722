/** Tests over real sockets, on free ports. */
@NullMarked
package dev.doyen.hub.server.websocket;

import org.jspecify.annotations.NullMarked;
