/**
 * Checks names and formats durations, for messages and records.
 *
 * <p>Internal: only Doyen uses this package.
 */
@NullMarked
package dev.doyen.text;

import org.jspecify.annotations.NullMarked;
