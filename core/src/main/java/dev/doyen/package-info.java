/**
 * Elects one leader among the processes that share a store, tells everyone who it is, and hands the leader a term: a
 * fencing token that what it writes to can check.
 *
 * <p>Begin with {@link dev.doyen.Election#lease}. What is assumed of clocks: their <em>rates</em> differ by less than
 * 10 % between candidates; offsets do not matter. Then at most one candidate leads at any instant by its own
 * {@link dev.doyen.Leadership#isCertain}. A process that checks, is paused, and then acts, is stopped by nothing but the
 * term: give it to whatever you write to, and let that refuse a lower one. Terms rise strictly whatever the clocks do.
 */
@NullMarked
package dev.doyen;

import org.jspecify.annotations.NullMarked;
