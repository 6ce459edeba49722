package dev.doyen.hub;

import org.jspecify.annotations.Nullable;

/**
 * A claim that is held just now.
 *
 * @param session the holder's socket; null if it has lost it
 */
public record HeldClaim(Claimant claimant, @Nullable SessionId session) {}
