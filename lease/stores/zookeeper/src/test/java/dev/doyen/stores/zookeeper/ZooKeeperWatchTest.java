package dev.doyen.stores.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.junit.jupiter.api.Test;

/** The watch when the client or a listener throws an Error. */
class ZooKeeperWatchTest {

    private final CountDownLatch set = new CountDownLatch(3);

    private final CuratorFramework client = (CuratorFramework) Proxy.newProxyInstance(
            CuratorFramework.class.getClassLoader(), new Class<?>[] {CuratorFramework.class}, (proxy, method, args) -> {
                set.countDown();
                throw new OutOfMemoryError("on purpose");
            });

    private final ZooKeeperWatch watch = new ZooKeeperWatch(client, "/doyen");

    @Test
    void a_watch_that_cannot_be_set_after_a_reconnection_is_set_again() throws Exception { // L8
        try (watch) {
            watch.stateChanged(client, ConnectionState.RECONNECTED);

            assertThat(set.await(60, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void one_who_watches_and_throws_an_Error_keeps_nobody_from_the_news() { // L8
        var heard = new AtomicInteger();
        try (watch) {
            watch.watch("/doyen/e", () -> {
                throw new OutOfMemoryError("on purpose");
            });
            watch.watch("/doyen/e", heard::incrementAndGet);
            var changed = new WatchedEvent(
                    Watcher.Event.EventType.NodeDataChanged, Watcher.Event.KeeperState.SyncConnected, "/doyen/e");
            watch.process(changed);
            watch.process(changed);
        }

        assertThat(heard).hasValue(2);
    }
}
