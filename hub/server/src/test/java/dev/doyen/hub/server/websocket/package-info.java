/** The package tests the sockets of the hub on free ports. */
@NullMarked
package dev.doyen.hub.server.websocket;

import org.jspecify.annotations.NullMarked;
