package dev.doyen.stores.zookeeper;

import dev.doyen.log.FaultLog;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.support.LaterThread;
import dev.doyen.store.support.LeaseWatchers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.curator.framework.state.ConnectionStateListener;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;

/**
 * Announces changes with one persistent recursive watch on the store's parent node.
 *
 * <p>After each reconnection the class sets the watch again and announces every election. The announcement is
 * necessary, because the watch has possibly missed changes, for example if the session is new. If ZooKeeper fails to
 * set the watch again, the class repeats the request until the watch is set or this object is closed.
 */
final class ZooKeeperWatch implements Watcher, ConnectionStateListener, AutoCloseable {

    private static final Duration AGAIN_AFTER = Duration.ofMillis(500);

    private final CuratorFramework client;
    private final Nodes nodes;
    private final String path;
    private final FaultLog faults = new FaultLog(System.getLogger("dev.doyen"));
    private final LeaseWatchers watchers = new LeaseWatchers(faults);
    private final LaterThread later = new LaterThread("doyen-zookeeper-watch", faults);

    ZooKeeperWatch(CuratorFramework client, String path) {
        this.client = client;
        this.nodes = new Nodes(client);
        this.path = path;
    }

    /**
     * Sets the watch, and sets it again after each reconnection.
     *
     * @return false if the servers are older than 3.6 and have no persistent watches
     * @throws ExecutionException if the request for the watch fails for another reason
     */
    boolean begin(Duration timeout) throws ExecutionException, TimeoutException, InterruptedException {
        client.getConnectionStateListenable().addListener(this);
        try {
            nodes.watch(path, this).get(timeout.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (ExecutionException e) {
            if (Nodes.is(e, Code.UNIMPLEMENTED)) {
                client.getConnectionStateListenable().removeListener(this);
                return false;
            }
            throw e;
        }
    }

    LeaseStore.Watch watch(String node, Runnable changed) {
        return watchers.add(node, changed);
    }

    @Override
    public void process(WatchedEvent event) {
        if (event.getPath() != null) {
            watchers.announce(event.getPath());
        }
    }

    @Override
    public void stateChanged(CuratorFramework any, ConnectionState state) {
        if (state == ConnectionState.RECONNECTED) {
            setAgain();
        }
    }

    /**
     * Sets the watch again, and then announces every election. In this order the class misses no change: the
     * announcement covers all changes before the watch was set, and the watch reports all later changes.
     */
    private void setAgain() {
        CompletableFuture<?> unused = nodes.watch(path, this).whenComplete((any, error) -> {
            watchers.announceAll();
            if (error != null) {
                faults.report("the watch in ZooKeeper", error);
                later.after(AGAIN_AFTER, "the watch in ZooKeeper", this::setAgain);
            }
        });
    }

    @Override
    public void close() {
        later.close();
    }
}
