/** Step tests without clocks and waiting. */
@NullMarked
package dev.doyen.server.operator;

import org.jspecify.annotations.NullMarked;
