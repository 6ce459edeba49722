/**
 * Types for the settings of a ring election: the algorithm, the order and the durations.
 *
 * <p>All members of a ring must use the same values.
 */
@NullMarked
package dev.doyen.group.settings;

import org.jspecify.annotations.NullMarked;
