/**
 * Chaos tests with real processes over real stores and on rings.
 *
 * <p>They kill, stop and cut off a leader, and then read the log of the guarded resource. Start reading at
 * {@code Drill} for stores and at {@code RingDrill} for rings.
 */
@NullMarked
package dev.doyen.drills;

import org.jspecify.annotations.NullMarked;
