/**
 * A {@link dev.doyen.membership.Membership} over JGroups.
 *
 * <p>The processes find each other by a list of addresses, by DNS or by multicast, without a server. Only this package
 * uses JGroups. Start with {@link dev.doyen.cluster.ClusterMembership}.
 */
@NullMarked
package dev.doyen.cluster;

import org.jspecify.annotations.NullMarked;
