/** Step tests without clocks and waiting. */
@NullMarked
package dev.doyen.cli.doctor;

import org.jspecify.annotations.NullMarked;
