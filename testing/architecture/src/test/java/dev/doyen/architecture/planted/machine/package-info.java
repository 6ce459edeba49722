/** Planted faults that the rules must report. */
@NullMarked
package dev.doyen.architecture.planted.machine;

import org.jspecify.annotations.NullMarked;
