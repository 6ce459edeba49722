package dev.doyen.stores.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.event.SavedState;
import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.StoreUnavailableException;
import dev.doyen.testkit.ServerFaultContract;
import dev.doyen.testkit.ServerProcess;
import dev.doyen.testkit.StoreLine;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests the store with a server that is killed, frozen or unreachable, and with nodes that other clients change. */
class ZooKeeperFaultsTest extends ServerFaultContract {

    @RegisterExtension
    static final StoreLine LINE = new StoreLine("zookeeper", "faults");

    @Override
    protected ServerProcess startServer() throws Exception {
        return ZooKeeperServers.start(data);
    }

    @Override
    protected LeaseStore open(int port) {
        return openBelow(port, "/faults");
    }

    private static LeaseStore openBelow(int port, String path) {
        LeaseStore store =
                LeaseStore.open("zookeeper://127.0.0.1:" + port + path + "?timeout-millis=" + TIMEOUT.toMillis());
        LINE.found(ZooKeeperServers.version(), store.promises());
        return store;
    }

    @Test
    void a_recreated_node_is_distinguished_from_the_deleted_one() throws Exception {
        try (ServerProcess server = startServer();
                LeaseStore store = open(server.port());
                CuratorFramework operator = operator(server)) {
            LeaseVersion one = written(store.compareAndSet("orders", LeaseVersion.ABSENT, record(7)));
            operator.delete().forPath("/faults/orders");
            assertThat(store.compareAndSet("orders", one, record(7))).isInstanceOf(CasOutcome.Conflict.class);
            LeaseVersion again = written(store.compareAndSet("orders", LeaseVersion.ABSENT, record(1)));
            // ZooKeeper's version of both the deleted node and the new node is 0, but the store must still detect the
            // conflict.
            assertThat(store.compareAndSet("orders", one, record(8))).isInstanceOf(CasOutcome.Conflict.class);
            assertThat(store.read("orders").version()).isEqualTo(again).isNotEqualTo(one);
        }
    }

    @Test
    void a_node_without_a_valid_record_is_a_fault_and_not_an_absent_lease() throws Exception {
        try (ServerProcess server = startServer();
                LeaseStore store = open(server.port());
                CuratorFramework operator = operator(server)) {
            operator.create().forPath("/faults/orders", "rubbish".getBytes(java.nio.charset.StandardCharsets.UTF_8));
            assertThatThrownBy(() -> store.read("orders"))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("/faults/orders is not a lease record");
            assertThat(store.compareAndSet("orders", LeaseVersion.ABSENT, record(1)))
                    .isInstanceOf(CasOutcome.Unknown.class);
        }
    }

    @Test
    void a_lease_is_created_again_after_an_operator_has_deleted_the_parent_node() throws Exception {
        try (ServerProcess server = startServer();
                LeaseStore store = openBelow(server.port(), "/deep/faults");
                CuratorFramework operator = operator(server)) {
            written(store.compareAndSet("orders", LeaseVersion.ABSENT, record(7)));
            operator.delete().deletingChildrenIfNeeded().forPath("/deep");
            assertThat(store.compareAndSet("orders", LeaseVersion.ABSENT, record(8)))
                    .isInstanceOfSatisfying(
                            CasOutcome.Unknown.class,
                            unknown -> assertThat(unknown.reason())
                                    .contains("the node /deep/faults was missing and has been created again"));
            LeaseVersion again = written(store.compareAndSet("orders", LeaseVersion.ABSENT, record(8)));
            assertThat(store.read("orders").version()).isEqualTo(again);
        }
    }

    @Test
    void a_login_in_the_url_protects_the_leases() throws Exception {
        try (ServerProcess server = startServer();
                LeaseStore ours = LeaseStore.open("zookeeper://doyen:s3cret@127.0.0.1:" + server.port() + "/private")) {
            LeaseVersion one = written(ours.compareAndSet("orders", LeaseVersion.ABSENT, record(1)));
            assertThatThrownBy(() -> LeaseStore.open("zookeeper://else:other@127.0.0.1:" + server.port() + "/private"))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("NoAuth")
                    .hasMessageNotContaining("other");
            assertThat(ours.read("orders").version()).isEqualTo(one);
        }
    }

    private static CuratorFramework operator(ServerProcess server) {
        CuratorFramework operator =
                CuratorFrameworkFactory.newClient("127.0.0.1:" + server.port(), new RetryOneTime(100));
        operator.start();
        return operator;
    }

    private static LeaseVersion written(CasOutcome outcome) {
        assertThat(outcome).isInstanceOf(CasOutcome.Written.class);
        return ((CasOutcome.Written) outcome).version();
    }

    private static LeaseRecord record(long term) {
        return new LeaseRecord(
                "orders",
                "n1",
                "n1-1",
                term,
                UUID.randomUUID().toString(),
                Duration.ofSeconds(10),
                Instant.EPOCH,
                Instant.EPOCH,
                SavedState.EMPTY,
                0);
    }
}
