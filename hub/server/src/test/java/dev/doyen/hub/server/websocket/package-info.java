/** The package tests the hub's loop, its sockets, and the queues between them. */
@NullMarked
package dev.doyen.hub.server.websocket;

import org.jspecify.annotations.NullMarked;
