/** Tests over real sockets, on free ports. */
@NullMarked
package dev.doyen.server.http;

import org.jspecify.annotations.NullMarked;
