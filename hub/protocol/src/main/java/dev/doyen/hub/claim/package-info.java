/**
 * The package decides which member holds a slot, and when a claim ends. The rules are C1 to C21.
 *
 * <p>The package calls {@code channel} and {@code step}. The source of the rules is docs/spec/claims.md. Start reading
 * at {@link dev.doyen.hub.claim.Claims}.
 */
@NullMarked
package dev.doyen.hub.claim;

import org.jspecify.annotations.NullMarked;
