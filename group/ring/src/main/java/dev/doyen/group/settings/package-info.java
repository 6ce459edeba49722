/**
 * The settings of a ring election that have their own types.
 *
 * <p>All members of a ring use the same algorithm, order and durations.
 */
@NullMarked
package dev.doyen.group.settings;

import org.jspecify.annotations.NullMarked;
