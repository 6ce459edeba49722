/**
 * Chaos tests with real processes on real stores and on rings.
 *
 * <p>The tests kill or freeze processes, or cut their connections. Then they check what the processes printed or what
 * the protected resource recorded. Start reading at {@code StoreChaos} for stores and at {@code RingChaos} for rings.
 */
@NullMarked
package dev.doyen.chaos;

import org.jspecify.annotations.NullMarked;
