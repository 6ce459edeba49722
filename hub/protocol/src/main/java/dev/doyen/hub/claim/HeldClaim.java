package dev.doyen.hub.claim;

import dev.doyen.hub.step.Claimant;
import dev.doyen.hub.step.SessionId;
import org.jspecify.annotations.Nullable;

/**
 * A claim that is held now.
 *
 * @param session the holder's socket; null if the holder has no socket now
 */
public record HeldClaim(Claimant claimant, @Nullable SessionId session) {}
