/** Tests of the HTTP layer over real sockets, on free ports. */
@NullMarked
package dev.doyen.elector.http;

import org.jspecify.annotations.NullMarked;
