package dev.doyen.stores.etcd;

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
import dev.doyen.testkit.TcpProxy;
import io.etcd.jetcd.Client;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests the store with an etcd server that is killed, frozen or unreachable. */
class EtcdFaultsTest extends ServerFaultContract {

    @RegisterExtension
    static final StoreLine LINE = new StoreLine("etcd", "faults");

    @Override
    protected void assumeItCanRun() {
        EtcdServers.assumeInstalled();
    }

    @Override
    protected ServerProcess startServer() throws Exception {
        return EtcdServers.start(data);
    }

    @Override
    protected LeaseStore open(int port) {
        LeaseStore store = LeaseStore.open("etcd://127.0.0.1:" + port + "/faults?timeout-millis=" + TIMEOUT.toMillis());
        LINE.found(EtcdServers.version(), store.promises());
        return store;
    }

    @Test
    void a_watch_of_a_compacted_revision_is_recreated() throws Exception {
        try (ServerProcess server = startServer();
                TcpProxy proxy = new TcpProxy(server.port());
                LeaseStore direct = open(server.port());
                LeaseStore store = open(proxy.port());
                Client operator = Client.builder()
                        .endpoints("http://127.0.0.1:" + server.port())
                        .build()) {
            var announced = new Semaphore(0);
            LeaseStore.Watch watch = store.watch("orders", announced::release).orElseThrow();
            LeaseVersion version = written(direct.compareAndSet("orders", LeaseVersion.ABSENT, record(1)));
            assertThat(announced.tryAcquire(60, TimeUnit.SECONDS)).isTrue();
            proxy.cut();
            for (int term = 2; term <= 5; term++) {
                version = written(direct.compareAndSet("orders", version, record(term)));
            }
            operator.getKVClient().compact(Long.parseLong(version.value())).get(60, TimeUnit.SECONDS);
            announced.drainPermits();
            proxy.pass();
            // A new etcd watcher calls the listener once when it starts. Each later call needs an event from etcd, so
            // the loop tests that the watcher receives events.
            for (int term = 6; term <= 10; term++) {
                assertThat(announced.tryAcquire(40, TimeUnit.SECONDS))
                        .as("a change is announced before term " + term)
                        .isTrue();
                version = written(direct.compareAndSet("orders", version, record(term)));
            }
            watch.close();
        }
    }

    @Test
    void a_watch_event_contains_the_record_and_answers_one_read() throws Exception {
        try (ServerProcess server = startServer();
                TcpProxy proxy = new TcpProxy(server.port());
                LeaseStore direct = open(server.port());
                LeaseStore store = open(proxy.port())) {
            var announced = new Semaphore(0);
            LeaseStore.Watch watch = store.watch("orders", announced::release).orElseThrow();
            assertThat(announced.tryAcquire(60, TimeUnit.SECONDS))
                    .as("the watch has started")
                    .isTrue();
            LeaseVersion version = written(direct.compareAndSet("orders", LeaseVersion.ABSENT, record(1)));
            assertThat(announced.tryAcquire(60, TimeUnit.SECONDS)).isTrue();
            proxy.cut();

            assertThat(store.read("orders").version()).isEqualTo(version);
            assertThatThrownBy(() -> store.read("orders")).isInstanceOf(StoreUnavailableException.class);
            watch.close();
        }
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
