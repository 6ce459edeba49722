package dev.doyen.stores.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.store.LeaseStore;
import dev.doyen.store.StoreUnavailableException;
import dev.doyen.testkit.ServerProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that the store detects settings that make terms non-durable, and reports the remedy. The servers are real. */
class RedisDurabilityTest {

    @TempDir
    Path data;

    @BeforeAll
    static void assumeInstalled() {
        RedisServers.assumeInstalled();
    }

    @Test
    void a_correctly_configured_server_promises_durable_terms() throws Exception {
        LeaseStore.Promises promises = promises(RedisServers.DURABLE);
        assertThat(promises.durableTerms()).isTrue();
        assertThat(promises.watches()).isTrue();
        assertThat(promises.remarks()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "appendonly, no, set appendonly yes",
        "appendfsync, everysec, set appendfsync always",
        "no-appendfsync-on-rewrite, yes, set no-appendfsync-on-rewrite no",
        "maxmemory-policy, allkeys-lru, set maxmemory-policy noeviction",
        "maxmemory-policy, volatile-ttl, set maxmemory-policy noeviction"
    })
    void each_wrong_setting_is_one_remark_without_the_promise(String name, String value, String remedy)
            throws Exception {
        LeaseStore.Promises promises = promises("--appendonly", "yes", "--appendfsync", "always", "--" + name, value);
        assertThat(promises.durableTerms()).isFalse();
        assertThat(promises.remarks())
                .singleElement()
                .satisfies(remark -> assertThat(remark)
                        .startsWith(name + " is \"" + value + "\"; ")
                        .endsWith(remedy));
    }

    @Test
    void a_replica_is_a_remark_on_either_side() throws Exception {
        Path below = Files.createDirectory(data.resolve("replica"));
        try (ServerProcess master = RedisServers.start(data, RedisServers.DURABLE);
                ServerProcess replica = RedisServers.start(
                        below,
                        "--appendonly",
                        "yes",
                        "--appendfsync",
                        "always",
                        "--repl-diskless-sync-delay",
                        "0",
                        "--replicaof",
                        "127.0.0.1 " + master.port())) {
            assertThat(promises(replica).remarks())
                    .containsExactly("role is \"slave\"; a lease belongs to a master: name the master's address");
            // Wait until the replica has synced. After that, the master certainly counts the replica as connected.
            ServerLog.await(below.resolve("redis.log"), "MASTER <-> REPLICA sync: Finished with success");
            LeaseStore.Promises promises = promises(master);
            assertThat(promises.durableTerms()).isFalse();
            assertThat(promises.remarks())
                    .containsExactly("connected_slaves is \"1\"; a promoted replica lacks the writes that it had not"
                            + " received: run the server of the leases without replicas");
        }
    }

    @Test
    void a_cluster_is_a_remark() throws Exception {
        LeaseStore.Promises promises =
                promises("--appendonly", "yes", "--appendfsync", "always", "--cluster-enabled", "yes");
        assertThat(promises.durableTerms()).isFalse();
        assertThat(promises.remarks())
                .containsExactly("cluster_enabled is \"1\"; a cluster promotes replicas: use a server outside of it");
    }

    @Test
    void a_user_without_rights_gets_remarks_without_a_password() throws Exception {
        Path users =
                Files.writeString(data.resolve("users.acl"), "user tenant on >s3cret+%25 ~* &* +@all -config -info\n");
        try (ServerProcess server = RedisServers.start(
                data, "--appendonly", "yes", "--appendfsync", "always", "--aclfile", users.toString())) {
            String url = "redis://tenant:s3cret+%2525@127.0.0.1:" + server.port() + "/x";
            try (LeaseStore store = LeaseStore.open(url)) {
                assertThat(store.promises().durableTerms()).isFalse();
                assertThat(store.promises().remarks())
                        .hasSize(7)
                        .allMatch(remark -> remark.contains(" cannot be checked, because this user or server has no "))
                        .noneMatch(remark -> remark.contains("s3cret"));
                assertThat(store.read("orders").version().isAbsent()).isTrue();
            }
            assertThatThrownBy(() -> LeaseStore.open(url.replace("s3cret", "wr0ng")))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("WRONGPASS")
                    .hasMessageNotContaining("wr0ng")
                    .hasMessageNotContaining("tenant");
        }
    }

    private LeaseStore.Promises promises(String... settings) throws Exception {
        try (ServerProcess server = RedisServers.start(data, settings)) {
            return promises(server);
        }
    }

    private static LeaseStore.Promises promises(ServerProcess server) {
        try (LeaseStore store = LeaseStore.open("redis://127.0.0.1:" + server.port())) {
            return store.promises();
        }
    }
}
