package dev.doyen.examples.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the migration from Curator's LeaderLatch with a real ZooKeeper. */
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CuratorTest {

    private Shifts shifts = new Shifts();
    private TestingServer server;
    private CuratorFramework client;
    private String store;

    @BeforeAll
    void startZooKeeper() throws Exception {
        server = new TestingServer();
        client = CuratorFrameworkFactory.newClient(server.getConnectString(), new RetryOneTime(100));
        client.start();
    }

    @AfterAll
    void stopZooKeeper() throws Exception {
        client.close();
        server.close();
    }

    @BeforeEach
    void nobodyIsAtWork() {
        shifts = new Shifts();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void a_migration_through_both_and_back_never_has_two_pollers(long seed) throws Exception {
        store = "zookeeper://" + server.getConnectString() + "/changeover-" + seed;
        new Changeover(shifts, seed).run(this::before, this::both, this::after, this::both, this::before);
        assertThat(shifts.overlaps()).isEmpty();
    }

    @Test
    void a_direct_migration_has_two_pollers() throws Exception {
        store = "zookeeper://" + server.getConnectString() + "/straight";
        try (var old = before("old")) {
            shifts.awaitAtWork("old");
            try (var later = after("new")) {
                shifts.awaitAtWork("old", "new");
            }
        }
        assertThat(shifts.overlaps()).containsExactly("new began while [old] worked");
    }

    @Test
    void with_both_the_latch_is_released_after_the_last_poll() throws Exception {
        store = "zookeeper://" + server.getConnectString() + "/stopping";
        var work = new Stopping(
                () -> client.getChildren().forPath("/latches/orders").size());
        try (var both = new dev.doyen.examples.migrate.curator.both.OrderPolling(client, store, "both", work)) {
            work.awaitStart();
        }
        assertThat(work.locksHeld()).isOne();
        assertThat(client.getChildren().forPath("/latches/orders")).isEmpty();
    }

    private AutoCloseable before(String id) throws Exception {
        return new dev.doyen.examples.migrate.curator.before.OrderPolling(client, id, shifts.poller(id));
    }

    private AutoCloseable both(String id) throws Exception {
        return new dev.doyen.examples.migrate.curator.both.OrderPolling(client, store, id, shifts.poller(id));
    }

    private AutoCloseable after(String id) {
        return new dev.doyen.examples.migrate.curator.after.OrderPolling(store, id, shifts.poller(id));
    }
}
