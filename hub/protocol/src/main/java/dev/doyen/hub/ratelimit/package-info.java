/**
 * The package limits how often a client may call the hub or guess credentials.
 *
 * <p>The package decides whether a request is admitted. The package calls {@code auth} and {@code settings}. Start
 * reading at {@link dev.doyen.hub.ratelimit.RateLimits}.
 */
@NullMarked
package dev.doyen.hub.ratelimit;

import org.jspecify.annotations.NullMarked;
