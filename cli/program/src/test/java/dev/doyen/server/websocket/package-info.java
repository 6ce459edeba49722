/** Tests over real sockets, on free ports. */
@NullMarked
package dev.doyen.server.websocket;

import org.jspecify.annotations.NullMarked;
