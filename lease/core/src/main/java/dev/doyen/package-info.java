/**
 * Elects one leader among processes and gives it a fencing token.
 *
 * <p>The fencing token is called the <em>term</em>. A resource to which the leader writes can check the term. Start
 * with {@link dev.doyen.Election#lease}.
 *
 * <p>At any instant, {@link dev.doyen.election.Leadership#isCertain} returns true for at most one candidate of an
 * election. This holds under two conditions. The store is linearizable for each election and does not forget a
 * confirmed write. The <em>rates</em> of the candidates' clocks differ by at most 10 %. The clocks need not be
 * synchronized. Terms rise strictly, even if the clocks are wrong.
 *
 * <p>A process can check that it leads, then be paused, and write after it has lost the leadership. Only the resource
 * can reject such a write. So send the term with each write. The resource must reject a term that is lower than the
 * highest term that it has accepted.
 */
@NullMarked
package dev.doyen;

import org.jspecify.annotations.NullMarked;
