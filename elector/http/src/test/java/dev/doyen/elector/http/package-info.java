/** Tests of the HTTP layer. The tests use real sockets on free ports, or Netty's embedded channel. */
@NullMarked
package dev.doyen.elector.http;

import org.jspecify.annotations.NullMarked;
