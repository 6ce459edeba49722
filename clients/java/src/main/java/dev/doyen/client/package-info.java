/**
 * Who leads, for apps beside an elector: the sidecar, {@code doyen ring}, a hub, or NAIS' own. Nothing here elects, and
 * nothing but the JDK is needed.
 *
 * <p>Assumptions: the elector's word is as good as the elector; what is believed here is bounded in age, not proved. Only
 * a resource that checks the term is safe from a leader that was paused.
 *
 * <p>Begin with {@link dev.doyen.client.Leader}.
 */
@NullMarked
package dev.doyen.client;

import org.jspecify.annotations.NullMarked;
