/** Tests of the command line program. Most of these tests use real processes, and sockets on free ports. */
@NullMarked
package dev.doyen.cli;

import org.jspecify.annotations.NullMarked;
