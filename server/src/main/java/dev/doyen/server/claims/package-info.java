/**
 * The ports between the hub and the leases behind its claims.
 *
 * <p>The hub only asks; the lease decides, and what it decided comes back through {@link
 * dev.doyen.server.claims.ClaimOutcomes}. Clocks are read by whoever keeps the leases. Entry type: {@code Claims}.
 */
@NullMarked
package dev.doyen.server.claims;

import org.jspecify.annotations.NullMarked;
