/**
 * Guards resources with fencing tokens.
 *
 * <p>A process that was paused can still write after it has lost its leadership. Only a fence rejects such writes.
 * {@link dev.doyen.fence.Fence} remembers the terms. {@link dev.doyen.fence.FenceHeaders} encodes a term for HTTP
 * requests. Start with {@link dev.doyen.fence.Fence#admit}.
 */
@NullMarked
package dev.doyen.fence;

import org.jspecify.annotations.NullMarked;
