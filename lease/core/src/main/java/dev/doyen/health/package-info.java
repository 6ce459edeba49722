/**
 * Decides from the results of health checks whether a candidate may campaign (rule M6).
 *
 * <p>{@link dev.doyen.health.HealthJudge} is a pure state machine. Internal: only Doyen uses this package.
 */
@NullMarked
package dev.doyen.health;

import org.jspecify.annotations.NullMarked;
