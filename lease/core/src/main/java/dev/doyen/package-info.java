/**
 * Elects one leader among processes and gives it a fencing token.
 *
 * <p>The token is called the <em>term</em>. A resource that the leader writes to can check it. Start with
 * {@link dev.doyen.Election#lease}.
 *
 * <p>At most one candidate leads at any instant, by its own {@link dev.doyen.election.Leadership#isCertain}. This holds if the
 * <em>rates</em> of the candidates' clocks differ by at most 10 %. Clock offsets may have any size. Terms rise
 * strictly, whatever the clocks do.
 *
 * <p>A process may check that it leads, be paused, and then act. Only the resource can prevent harm then. So pass the
 * term with each write, and let the resource reject a term that is lower than one it has seen.
 */
@NullMarked
package dev.doyen;

import org.jspecify.annotations.NullMarked;
