package dev.doyen.stores.kubernetes;

import dev.doyen.kubernetesserver.KubernetesServer;
import dev.doyen.store.LeaseStore;
import dev.doyen.testkit.ServerFaultContract;
import dev.doyen.testkit.ServerProcess;
import dev.doyen.testkit.StoreLine;
import org.junit.jupiter.api.extension.RegisterExtension;

/** An API server that is killed, stands still, or is not heard; its etcd goes on. All tests share one: each begins with it up. */
class KubernetesFaultsTest extends ServerFaultContract {

    @RegisterExtension
    static final StoreLine LINE = new StoreLine("kubernetes", "faults");

    @Override
    protected void assumeItCanRun() {
        KubernetesServer.assumeInstalled();
    }

    @Override
    protected ServerProcess startServer() throws Exception {
        return KubernetesServer.start(data).api();
    }

    @Override
    protected LeaseStore open(int port) {
        throw new IllegalStateException("x");
    }
}
