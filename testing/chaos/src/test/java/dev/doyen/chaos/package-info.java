/**
 * Chaos tests with real processes over real stores and on rings.
 *
 * <p>They kill, stop and cut off a leader, and then read the log of the guarded resource. Start reading at
 * {@code StoreChaos} for stores and at {@code RingChaos} for rings.
 */
@NullMarked
package dev.doyen.chaos;

import org.jspecify.annotations.NullMarked;
