package dev.doyen.stores.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.event.SavedState;
import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.VersionedLease;
import dev.doyen.testkit.ServerFaultContract;
import dev.doyen.testkit.ServerProcess;
import dev.doyen.testkit.StoreLine;
import dev.doyen.testkit.TcpProxy;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests the store with a server that is killed, frozen or unreachable, or that stores nothing on disk. */
class RedisFaultsTest extends ServerFaultContract {

    @RegisterExtension
    static final StoreLine LINE = new StoreLine("redis", "faults");

    @Override
    protected void assumeItCanRun() {
        RedisServers.assumeInstalled();
    }

    @Override
    protected ServerProcess startServer() throws Exception {
        ServerProcess server = RedisServers.start(data, RedisServers.DURABLE);
        try (LeaseStore store = open(server.port())) {
            LINE.found(RedisServers.version() + " (appendfsync always)", store.promises());
        }
        return server;
    }

    @Override
    protected LeaseStore open(int port) {
        return LeaseStore.open("redis://127.0.0.1:" + port + "/faults?timeout-millis=" + TIMEOUT.toMillis());
    }

    @Test
    void a_server_without_its_log_loses_the_term_and_has_a_remark() throws Exception {
        try (ServerProcess server = RedisServers.start(data, RedisServers.FORGETFUL);
                LeaseStore store = open(server.port())) {
            CasOutcome outcome = store.compareAndSet("orders", LeaseVersion.ABSENT, record(7));
            assertThat(outcome).isInstanceOf(CasOutcome.Written.class);
            assertThat(store.promises().durableTerms()).isFalse();
            assertThat(store.promises().remarks())
                    .contains("appendonly is \"no\"; without it a restart loses terms: set appendonly yes");
            server.kill();
            server.restart();
            try (LeaseStore again = open(server.port())) {
                assertThat(again.read("orders")).isEqualTo(VersionedLease.ABSENT);
                // The next leader starts at term 1 again. The store still rejects a write that expects the version of
                // the lost record.
                assertThat(again.compareAndSet("orders", LeaseVersion.ABSENT, record(1)))
                        .isInstanceOf(CasOutcome.Written.class);
                LeaseVersion seven = ((CasOutcome.Written) outcome).version();
                assertThat(again.compareAndSet("orders", seven, record(7))).isInstanceOf(CasOutcome.Conflict.class);
            }
        }
    }

    @Test
    void silent_connections_are_replaced() throws Exception {
        try (ServerProcess server = startServer();
                TcpProxy proxy = new TcpProxy(server.port());
                LeaseStore direct = open(server.port());
                LeaseStore store = open(proxy.port())) {
            var announced = new Semaphore(0);
            try (LeaseStore.Watch watch =
                    store.watch("orders", announced::release).orElseThrow()) {
                proxy.silence();
                direct.compareAndSet("orders", LeaseVersion.ABSENT, record(7));
                assertThat(announced.tryAcquire(BACK_WITHIN.toSeconds(), TimeUnit.SECONDS))
                        .as("the new connection of the watch announces all elections")
                        .isTrue();
                assertThat(watch).isNotNull();
            }
            assertThat(readAgain(store, "orders").record().orElseThrow().term()).isEqualTo(7);
        }
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
