/** Planted faults that the rules must report. */
@NullMarked
package dev.doyen.architecture.planted.beta;

import org.jspecify.annotations.NullMarked;
