package dev.doyen.stores.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.curator.CuratorZookeeperClient;
import org.apache.curator.ensemble.fixed.FixedEnsembleProvider;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.AddWatchMode;
import org.apache.zookeeper.AsyncCallback;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests cases in which ZooKeeper does not set the watch, or the client or a listener throws an Error. */
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

    @ParameterizedTest
    @ValueSource(ints = {-4, -7, -112, -6, -999}) // connection loss, timeout, expired session, unimplemented, unknown
    void a_watch_that_the_client_does_not_set_after_a_reconnection_is_set_again(int code) throws Exception {
        try (var zookeeper = new Answering(code);
                var client = new CuratorZookeeperClient(
                        (servers, timeout, watcher, readOnly) -> zookeeper,
                        new FixedEnsembleProvider("127.0.0.1:1"),
                        Integer.MAX_VALUE,
                        Integer.MAX_VALUE,
                        null,
                        new RetryOneTime(1),
                        false)) {
            client.start();
            CuratorFramework framework = (CuratorFramework) Proxy.newProxyInstance(
                    CuratorFramework.class.getClassLoader(),
                    new Class<?>[] {CuratorFramework.class},
                    (proxy, method, args) -> client);
            try (var failing = new ZooKeeperWatch(framework, "/doyen")) {
                failing.stateChanged(framework, ConnectionState.RECONNECTED);

                assertThat(set.await(60, TimeUnit.SECONDS)).isTrue();
            }
        }
    }

    @Test
    void an_Error_of_a_watcher_does_not_affect_other_watchers() { // L8
        var received = new AtomicInteger();
        try (watch) {
            watch.watch("/doyen/e", () -> {
                throw new OutOfMemoryError("on purpose");
            });
            watch.watch("/doyen/e", received::incrementAndGet);
            var changed = new WatchedEvent(
                    Watcher.Event.EventType.NodeDataChanged, Watcher.Event.KeeperState.SyncConnected, "/doyen/e");
            watch.process(changed);
            watch.process(changed);
        }

        assertThat(received).hasValue(2);
    }

    /**
     * A ZooKeeper client that needs no server. This client answers each request for a watch with the same result code.
     */
    private final class Answering extends ZooKeeper {

        private final int code;

        Answering(int code) throws IOException {
            super("127.0.0.1:1", Integer.MAX_VALUE, event -> {});
            this.code = code;
        }

        @Override
        public void addWatch(
                String path, Watcher watcher, AddWatchMode mode, AsyncCallback.VoidCallback done, Object context) {
            set.countDown();
            done.processResult(code, path, context);
        }
    }
}
