/** Planted faults, which the rules must find. */
@NullMarked
package dev.doyen.architecture.planted.beta;

import org.jspecify.annotations.NullMarked;
