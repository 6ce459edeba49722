/** Tests over real sockets, on free ports. */
@NullMarked
package dev.doyen.server;

import org.jspecify.annotations.NullMarked;
