package dev.doyen.stores.zookeeper;

import static org.assertj.core.api.Assertions.assertThatCode;

import java.util.concurrent.CompletableFuture;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.utils.ZookeeperFactory;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.Test;

class ZooKeeperSettingsTest {

    private final CompletableFuture<Watcher> first = new CompletableFuture<>();

    private final ZookeeperFactory oneSession = (servers, timeout, watcher, readOnly) -> {
        if (first.complete(watcher)) {
            return new ZooKeeper(servers, timeout, event -> {});
        }
        throw new OutOfMemoryError("on purpose");
    };

    @Test
    void a_session_that_cannot_start_its_threads_throws_no_Error() throws Exception { // L8
        try (CuratorFramework client =
                ZooKeeperSettings.of("zookeeper://127.0.0.1:1").client(oneSession)) {
            client.start();
            var expired = new WatchedEvent(Watcher.Event.EventType.None, Watcher.Event.KeeperState.Expired, null);

            assertThatCode(() -> first.join().process(expired)).doesNotThrowAnyException();
        }
    }
}
