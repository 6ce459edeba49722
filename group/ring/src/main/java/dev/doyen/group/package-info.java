/**
 * Elects one leader among the processes of a group, without a store.
 *
 * <p>{@link dev.doyen.group.RingElection} elects over a {@link dev.doyen.membership.Membership}. This package connects
 * the events of the loop with the work and the listeners of a candidate. This package makes no decisions.
 */
@NullMarked
package dev.doyen.group;

import org.jspecify.annotations.NullMarked;
