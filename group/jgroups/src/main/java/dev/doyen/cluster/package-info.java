/**
 * A {@link dev.doyen.membership.Membership} over JGroups.
 *
 * <p>The processes find each other by a list, by DNS or by multicast, without any server. Only this package uses
 * JGroups. Start reading at {@link dev.doyen.cluster.ClusterMembership}.
 */
@NullMarked
package dev.doyen.cluster;

import org.jspecify.annotations.NullMarked;
