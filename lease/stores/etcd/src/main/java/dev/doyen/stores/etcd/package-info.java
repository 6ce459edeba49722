/**
 * Stores leases in etcd, for URLs {@code etcd://host:2379/prefix}.
 *
 * <p>Start reading at {@link dev.doyen.stores.etcd.EtcdLeaseStore}. docs/reference/store-etcd.md lists what the store
 * requires of the cluster.
 */
@NullMarked
package dev.doyen.stores.etcd;

import org.jspecify.annotations.NullMarked;
