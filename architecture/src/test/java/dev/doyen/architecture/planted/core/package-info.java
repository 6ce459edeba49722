/** Planted faults, which the rules must find. */
@NullMarked
package dev.doyen.architecture.planted.core;

import org.jspecify.annotations.NullMarked;
