/** Planted faults that the rules must report. */
@NullMarked
package dev.doyen.architecture.planted.core;

import org.jspecify.annotations.NullMarked;
