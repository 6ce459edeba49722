/**
 * Ranking without a hub, over a {@link dev.doyen.membership.Membership}: {@link dev.doyen.roster.RosterMachine} turns views and
 * messages into the inputs of the ranking machine. Rules V1-V8 of docs/spec/ranking.md, "Over a membership", are decided here
 * and nowhere else.
 *
 * <p>Assumption on clocks: none but those of the ranking machine. On the membership: members that install a view of the same
 * id install the same members; messages may be lost, late and out of order.
 *
 * <p>No clock, thread, randomness, I/O or logger in here.
 */
@NullMarked
package dev.doyen.roster;

import org.jspecify.annotations.NullMarked;
