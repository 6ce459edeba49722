/**
 * Guards a resource with fencing tokens: it remembers the highest term and rejects lower ones.
 *
 * <p>A leader that was paused may not know that it has lost its leadership. Only this check stops its writes.
 * {@link dev.doyen.fence.Fence} remembers the terms. {@link dev.doyen.fence.FenceHeaders} carries a term over HTTP.
 * Start with {@link dev.doyen.fence.Fence#admit}.
 */
@NullMarked
package dev.doyen.fence;

import org.jspecify.annotations.NullMarked;
