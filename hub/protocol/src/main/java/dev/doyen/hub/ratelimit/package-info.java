/**
 * Limits how often a client may call the hub or guess credentials.
 *
 * <p>It decides whether a request is admitted. It calls {@code auth} and {@code settings}. Start reading at {@link
 * dev.doyen.hub.ratelimit.RateLimits}.
 */
@NullMarked
package dev.doyen.hub.ratelimit;

import org.jspecify.annotations.NullMarked;
