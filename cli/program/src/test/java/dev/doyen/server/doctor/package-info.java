/** Step tests without clocks and waiting. */
@NullMarked
package dev.doyen.server.doctor;

import org.jspecify.annotations.NullMarked;
