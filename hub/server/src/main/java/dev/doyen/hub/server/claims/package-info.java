/**
 * The package connects the hub's claims to leases.
 *
 * <p>The hub submits a claim for a member. The claim is granted if the member acquires the lease of the slot. The
 * outcomes return through {@link dev.doyen.hub.server.claims.ClaimOutcomes}. The lease loops read the clocks. Start
 * reading at {@code Claims}.
 */
@NullMarked
package dev.doyen.hub.server.claims;

import org.jspecify.annotations.NullMarked;
