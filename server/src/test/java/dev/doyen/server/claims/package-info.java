/** Tests over real sockets, on free ports. */
@NullMarked
package dev.doyen.server.claims;

import org.jspecify.annotations.NullMarked;
