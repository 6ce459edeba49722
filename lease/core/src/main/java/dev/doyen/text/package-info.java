/**
 * Checks names, formats durations for messages and records, and reads PEM files.
 *
 * <p>Internal: only Doyen uses this package.
 */
@NullMarked
package dev.doyen.text;

import org.jspecify.annotations.NullMarked;
