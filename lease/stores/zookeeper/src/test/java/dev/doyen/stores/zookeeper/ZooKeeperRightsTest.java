package dev.doyen.stores.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.StoreRefusedException;
import dev.doyen.testkit.ServerProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.data.ACL;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests that the store names a missing right of a ZooKeeper user and the remedy. */
@Timeout(180)
class ZooKeeperRightsTest {

    private static final String REMEDY = "give this user the rights create, read and write on /rights";

    @TempDir
    Path data;

    @Test
    void a_missing_right_is_named() throws Exception {
        try (ServerProcess server = ZooKeeperServers.start(data)) {
            String anybody = "zookeeper://127.0.0.1:" + server.port() + "/rights?timeout-millis=20000";
            try (LeaseStore store = LeaseStore.open(anybody)) {
                assertThat(store.missingRights()).isEmpty();
            }
            rights(anybody, "/rights", ZooDefs.Perms.READ | ZooDefs.Perms.ADMIN);
            try (LeaseStore store = LeaseStore.open(anybody)) {
                isRefused(store.compareAndSet("orders", LeaseVersion.ABSENT, record("orders")));
                assertThat(store.read("orders").record()).isEmpty();
            }
        }
    }

    @Test
    void a_right_to_write_that_is_missing_is_found_by_the_check_of_an_election() throws Exception {
        try (ServerProcess server = ZooKeeperServers.start(data)) {
            String anybody = "zookeeper://127.0.0.1:" + server.port() + "/rights?timeout-millis=20000";
            try (CuratorFramework operator = ZooKeeperSettings.of(anybody).client()) {
                operator.start();
                operator.create().forPath("/rights", new byte[0]);
            }
            rights(anybody, "/rights", ZooDefs.Perms.READ | ZooDefs.Perms.ADMIN);
            try (LeaseStore store = LeaseStore.open(anybody)) {
                assertThat(store.missingRights()).singleElement().asString().contains("may not write leases", REMEDY);
            }
        }
    }

    @Test
    void a_node_that_this_user_may_not_read_is_named() throws Exception {
        try (ServerProcess server = ZooKeeperServers.start(data)) {
            String anybody = "zookeeper://127.0.0.1:" + server.port() + "/rights?timeout-millis=20000";
            try (LeaseStore store = LeaseStore.open(anybody)) {
                assertThat(store.compareAndSet("orders", LeaseVersion.ABSENT, record("orders")))
                        .isInstanceOf(CasOutcome.Written.class);
                rights(anybody, "/rights/orders", ZooDefs.Perms.ADMIN);
                assertThatThrownBy(() -> store.read("orders"))
                        .isInstanceOf(StoreRefusedException.class)
                        .hasMessageContaining("NoAuth")
                        .hasMessageContaining(REMEDY);
            }
        }
    }

    private static void rights(String url, String path, int rights) throws Exception {
        try (CuratorFramework operator = ZooKeeperSettings.of(url).client()) {
            operator.start();
            operator.setACL()
                    .withACL(List.of(new ACL(rights, ZooDefs.Ids.ANYONE_ID_UNSAFE)))
                    .forPath(path);
        }
    }

    private static void isRefused(CasOutcome outcome) {
        assertThat(outcome).isInstanceOfSatisfying(CasOutcome.Unknown.class, unknown -> {
            assertThat(unknown.refused()).isTrue();
            assertThat(unknown.reason()).contains("NoAuth", REMEDY);
        });
    }

    private static LeaseRecord record(String election) {
        return LeaseRecord.unheld(election, 1, "nonce", Duration.ofSeconds(10), Instant.EPOCH);
    }
}
