package dev.doyen.stores.zookeeper;

import dev.doyen.store.LeaseStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.curator.framework.state.ConnectionStateListener;
import org.apache.zookeeper.AddWatchMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;

/**
 * Announces changes by one persistent watch over all nodes below the store's. It is set anew, and every election announced,
 * each time the connection is back: it may be another session, and what happened meanwhile was not told.
 */
final class ZooKeeperWatch implements Watcher, ConnectionStateListener {

    private final CuratorFramework client;
    private final String path;
    private final Map<String, List<Runnable>> watchers = new ConcurrentHashMap<>();

    ZooKeeperWatch(CuratorFramework client, String path) {
        this.client = client;
        this.path = path;
    }

    /** Sets the watch, from now on for good. False if the servers do not know this kind: they are older than 3.6. */
    boolean begin(Duration timeout) throws ExecutionException, TimeoutException, InterruptedException {
        client.getConnectionStateListenable().addListener(this);
        return set().get(timeout.toMillis(), TimeUnit.MILLISECONDS) == Code.OK;
    }

    LeaseStore.Watch watch(String node, Runnable changed) {
        List<Runnable> list = watchers.computeIfAbsent(node, n -> new CopyOnWriteArrayList<>());
        list.add(changed);
        return () -> list.remove(changed);
    }

    @Override
    public void process(WatchedEvent event) {
        if (event.getPath() != null) {
            watchers.getOrDefault(event.getPath(), List.of()).forEach(Runnable::run);
        }
    }

    @Override
    public void stateChanged(CuratorFramework any, ConnectionState state) {
        if (state == ConnectionState.RECONNECTED) {
            // First the watch, then the announcement: what changes after it is announced, is watched.
            set().thenAccept(code -> watchers.values().forEach(list -> list.forEach(Runnable::run)))
                    .exceptionally(error -> {
                        System.getLogger("dev.doyen")
                                .log(System.Logger.Level.DEBUG, "the watch in ZooKeeper could not be set", error);
                        return null;
                    });
        }
    }

    private CompletableFuture<Code> set() {
        var answer = new CompletableFuture<Code>();
        try {
            client.getZookeeperClient()
                    .getZooKeeper()
                    .addWatch(
                            path,
                            this,
                            AddWatchMode.PERSISTENT_RECURSIVE,
                            (code, p, context) -> answer.complete(Code.get(code)),
                            null);
        } catch (Exception e) {
            // As Curator declares it. The next reconnection sets the watch.
            answer.completeExceptionally(e);
        }
        return answer;
    }
}
