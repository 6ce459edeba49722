package dev.doyen.hub.claim;

import dev.doyen.hub.step.Claimant;
import dev.doyen.hub.step.SessionId;
import org.jspecify.annotations.Nullable;

/**
 * A held claim, or an ended claim whose former holder has not confirmed the end (rule C19).
 *
 * @param session the holder's socket; null if the claim has ended, or if the holder has no socket now
 */
public record HeldClaim(Claimant claimant, @Nullable SessionId session) {}
