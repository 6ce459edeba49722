/** The package tests several nodes of one hub over a real Redis server. */
@NullMarked
package dev.doyen.hub.server.nodes;

import org.jspecify.annotations.NullMarked;
