/** Tests by steps: no clock, no waiting. */
@NullMarked
package dev.doyen.server.doctor;

import org.jspecify.annotations.NullMarked;
