/**
 * Elects one leader among processes that know each other, without a store.
 *
 * <p>{@link dev.doyen.group.RingElection} elects over a {@link dev.doyen.membership.Membership}. This package connects
 * the events of the loop with the work and the listeners of a candidate. It decides nothing.
 */
@NullMarked
package dev.doyen.group;

import org.jspecify.annotations.NullMarked;
