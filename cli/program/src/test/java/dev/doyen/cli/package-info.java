/** Tests of the command line program. Most of them use real processes and sockets on free ports. */
@NullMarked
package dev.doyen.cli;

import org.jspecify.annotations.NullMarked;
