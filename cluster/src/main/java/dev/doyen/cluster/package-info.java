/**
 * A {@link dev.doyen.membership.Membership} over JGroups: {@link dev.doyen.cluster.ClusterMembership}. The processes find each
 * other by a list, by DNS or by multicast; nothing else has to run. JGroups is seen in here only.
 */
@NullMarked
package dev.doyen.cluster;

import org.jspecify.annotations.NullMarked;
