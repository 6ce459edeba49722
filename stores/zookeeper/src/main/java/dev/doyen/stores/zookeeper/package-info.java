/**
 * Leases in ZooKeeper: {@code zookeeper://h1:2181,h2:2181/path}. docs/reference/store-zookeeper.md says what it asks of the
 * ensemble, and why there is no ephemeral node here.
 */
@NullMarked
package dev.doyen.stores.zookeeper;

import org.jspecify.annotations.NullMarked;
