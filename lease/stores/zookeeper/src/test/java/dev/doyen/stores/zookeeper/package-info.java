/** Tests the store, mostly against real ZooKeeper servers. */
@NullMarked
package dev.doyen.stores.zookeeper;

import org.jspecify.annotations.NullMarked;
