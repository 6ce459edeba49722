/** Tests by steps: no clock, no waiting. */
@NullMarked
package dev.doyen.server.operator;

import org.jspecify.annotations.NullMarked;
