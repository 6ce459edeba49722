package dev.doyen.stores.kubernetes;

import static dev.doyen.stores.kubernetes.Api.record;
import static dev.doyen.stores.kubernetes.Api.written;
import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.kubernetesserver.KubernetesServer;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseVersion;
import dev.doyen.testkit.RunningServer;
import dev.doyen.testkit.ServerFaultContract;
import dev.doyen.testkit.ServerProcess;
import dev.doyen.testkit.StoreLine;
import dev.doyen.testkit.TcpProxy;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Tests the store with an API server that is killed, frozen or unreachable, while its etcd keeps running.
 *
 * <p>All tests share one server, because the start of a server takes longer than a test. Each test starts with a
 * running server and uses its own elections.
 */
class KubernetesFaultsTest extends ServerFaultContract {

    @RegisterExtension
    static final StoreLine LINE = new StoreLine("kubernetes", "faults");

    @Override
    protected void assumeItCanRun() {
        KubernetesServer.assumeInstalled();
    }

    @Override
    protected ServerProcess startServer() throws Exception {
        KubernetesServer server = Api.server();
        if (!server.api().isAlive()) {
            server.startApi();
        }
        return server.api();
    }

    @Override
    protected void endServer(RunningServer server) {}

    @AfterAll
    static void up() throws Exception {
        if (!Api.server().api().isAlive()) {
            Api.server().startApi();
        }
    }

    @Override
    protected LeaseStore open(int port) {
        try {
            KubernetesServer server = Api.server();
            server.awaitReady();
            LeaseStore store = LeaseStore.open("kubernetes:?kubeconfig=" + server.kubeconfig("admin", port)
                    + "&timeout-millis=" + TIMEOUT.toMillis());
            LINE.found("kubernetes", store.promises());
            return store;
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException("no kubeconfig", e);
        }
    }

    /** After a restart, the server cannot replay the changes from before the restart. */
    @Test
    void a_watch_of_an_expired_resource_version_is_recreated() throws Exception {
        KubernetesServer kubernetes = Api.server();
        startServer();
        String election = "forgotten-" + UUID.randomUUID();
        try (TcpProxy proxy = new TcpProxy(kubernetes.api().port());
                LeaseStore direct = open(kubernetes.api().port());
                LeaseStore store = open(proxy.port())) {
            var announced = new Semaphore(0);
            LeaseStore.Watch watch = store.watch(election, announced::release).orElseThrow();
            LeaseVersion version =
                    written(direct.compareAndSet(election, LeaseVersion.ABSENT, record(election, "n1", 1)));
            assertThat(announced.tryAcquire(60, TimeUnit.SECONDS)).isTrue();
            proxy.cut();
            for (int term = 2; term <= 5; term++) {
                version = written(direct.compareAndSet(election, version, record(election, "n1", term)));
            }
            kubernetes.stopApi();
            kubernetes.startApi();
            announced.drainPermits();
            proxy.pass();
            for (int term = 6; term <= 10; term++) {
                assertThat(announced.tryAcquire(40, TimeUnit.SECONDS))
                        .as("a change is announced before term " + term)
                        .isTrue();
                announced.drainPermits();
                version = written(direct.compareAndSet(election, version, record(election, "n1", term)));
            }
            watch.close();
        }
    }
}
