/**
 * The ports between the hub and the leases behind its claims, and their implementation on core leases.
 *
 * <p>The hub submits claims, and the lease decides them. The outcomes return through
 * {@link dev.doyen.hub.server.claims.ClaimOutcomes}. The lease loops read the clocks. Start with {@code Claims}.
 */
@NullMarked
package dev.doyen.hub.server.claims;

import org.jspecify.annotations.NullMarked;
