/**
 * Stores leases in ZooKeeper, for URLs {@code zookeeper://h1:2181,h2:2181/path}.
 *
 * <p>Start reading at {@link dev.doyen.stores.zookeeper.ZooKeeperLeaseStore}. docs/reference/store-zookeeper.md lists
 * what the store requires of the ensemble, and explains why the store uses no ephemeral node.
 */
@NullMarked
package dev.doyen.stores.zookeeper;

import org.jspecify.annotations.NullMarked;
