/** Planted faults, which the rules must find. */
@NullMarked
package dev.doyen.architecture.planted.alpha;

import org.jspecify.annotations.NullMarked;
