/** Leases in etcd: {@code etcd://host:2379/prefix}. docs/reference/store-etcd.md says what it asks of the cluster. */
@NullMarked
package dev.doyen.stores.etcd;

import org.jspecify.annotations.NullMarked;
