/**
 * What a guarded resource does with a term: it remembers the highest one it has seen and refuses lower ones. A leader
 * that was paused, and does not know yet that it leads no more, is stopped here and nowhere else.
 *
 * <p>{@link dev.doyen.fence.Fence} remembers; {@link dev.doyen.fence.FenceHeaders} carries the term over HTTP.
 */
@NullMarked
package dev.doyen.fence;

import org.jspecify.annotations.NullMarked;
