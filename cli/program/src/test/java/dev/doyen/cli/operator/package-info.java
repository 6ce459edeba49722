/** Step tests without clocks and waiting. */
@NullMarked
package dev.doyen.cli.operator;

import org.jspecify.annotations.NullMarked;
