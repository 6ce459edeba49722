/** Planted faults, which the rules must find. */
@NullMarked
package dev.doyen.architecture.planted.machine;

import org.jspecify.annotations.NullMarked;
