package dev.doyen.stores.zookeeper;

import java.io.IOException;
import org.apache.curator.utils.ZookeeperFactory;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;

/**
 * Begins sessions, and converts each Error into an exception.
 *
 * <p>A session throws an Error if it cannot start its threads. Curator repeats the attempt after an exception. But an
 * Error would end Curator's threads, and the store would never connect again.
 *
 * @param behind the factory that begins the sessions
 */
record CatchingZooKeeperFactory(ZookeeperFactory behind) implements ZookeeperFactory {

    @Override
    public ZooKeeper newZooKeeper(String servers, int sessionMillis, Watcher watcher, boolean readOnly)
            throws Exception {
        try {
            return behind.newZooKeeper(servers, sessionMillis, watcher, readOnly);
        } catch (Error e) {
            throw new IOException("a session with ZooKeeper could not begin: " + e, e);
        }
    }
}
