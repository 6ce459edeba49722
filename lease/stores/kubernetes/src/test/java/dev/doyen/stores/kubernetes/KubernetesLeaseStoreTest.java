package dev.doyen.stores.kubernetes;

import dev.doyen.kubernetesserver.KubernetesServer;
import dev.doyen.store.LeaseStore;
import dev.doyen.testkit.LeaseStoreContract;
import dev.doyen.testkit.StoreLine;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Runs the store contract on a real API server. */
class KubernetesLeaseStoreTest extends LeaseStoreContract {

    @RegisterExtension
    static final StoreLine LINE = new StoreLine("kubernetes", "contract");

    private static KubernetesServer server;

    @BeforeAll
    static void start() throws Exception {
        server = Api.server();
    }

    @Override
    protected LeaseStore open() {
        LeaseStore store = Api.open(server);
        LINE.found(Api.version(server), store.promises());
        return store;
    }
}
