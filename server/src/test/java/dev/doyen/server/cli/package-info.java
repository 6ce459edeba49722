/** Tests over real sockets, on free ports. */
@NullMarked
package dev.doyen.server.cli;

import org.jspecify.annotations.NullMarked;
