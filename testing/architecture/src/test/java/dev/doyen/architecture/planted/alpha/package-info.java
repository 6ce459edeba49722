/** Planted faults that the rules must report. */
@NullMarked
package dev.doyen.architecture.planted.alpha;

import org.jspecify.annotations.NullMarked;
