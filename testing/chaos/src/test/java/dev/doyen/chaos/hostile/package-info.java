/**
 * Attacks a hub with ordinary tokens while other clients use the hub.
 *
 * <p>The hub is a separate process. Each attacker has its own loopback address and its own token, and uses only the
 * hub's public ports. Start reading at {@link dev.doyen.chaos.hostile.HostileRun}.
 */
@NullMarked
package dev.doyen.chaos.hostile;

import org.jspecify.annotations.NullMarked;
