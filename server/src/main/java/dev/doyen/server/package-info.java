/**
 * The process around the hub and the elector: ports, event loops, and their orderly end.
 *
 * <p>Nothing here decides who leads. Clocks are read once per input, by the shells in the packages below. Entry type:
 * {@code DoyenServer}.
 */
@NullMarked
package dev.doyen.server;

import org.jspecify.annotations.NullMarked;
