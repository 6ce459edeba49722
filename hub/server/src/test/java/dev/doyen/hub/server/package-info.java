/** The package tests the server over real sockets on free ports. */
@NullMarked
package dev.doyen.hub.server;

import org.jspecify.annotations.NullMarked;
