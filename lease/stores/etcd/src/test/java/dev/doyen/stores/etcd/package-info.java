/** Tests the store, mostly against real etcd servers. */
@NullMarked
package dev.doyen.stores.etcd;

import org.jspecify.annotations.NullMarked;
