/** Tests of several nodes of one hub over a real Redis. */
@NullMarked
package dev.doyen.hub.server.nodes;

import org.jspecify.annotations.NullMarked;
