/**
 * Checks names, formats durations for messages, and reads PEM files.
 *
 * <p>Internal: only Doyen uses this package.
 */
@NullMarked
package dev.doyen.text;

import org.jspecify.annotations.NullMarked;
