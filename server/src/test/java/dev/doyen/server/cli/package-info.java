/** Tests of the command line program, most of them with real processes and sockets on free ports. */
@NullMarked
package dev.doyen.server.cli;

import org.jspecify.annotations.NullMarked;
