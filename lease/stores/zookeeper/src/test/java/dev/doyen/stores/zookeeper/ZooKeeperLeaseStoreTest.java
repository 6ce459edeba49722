package dev.doyen.stores.zookeeper;

import dev.doyen.store.LeaseStore;
import dev.doyen.testkit.LeaseStoreContract;
import dev.doyen.testkit.StoreLine;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Runs the store contract on one server. */
class ZooKeeperLeaseStoreTest extends LeaseStoreContract {

    @RegisterExtension
    static final StoreLine LINE = new StoreLine("zookeeper", "contract");

    private static TestingServer server;

    @BeforeAll
    static void start() throws Exception {
        server = new TestingServer(true);
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
    }

    @Override
    protected LeaseStore open() {
        LeaseStore store = LeaseStore.open("zookeeper://" + server.getConnectString() + "/a/contract");
        LINE.found(ZooKeeperServers.version(), store.promises());
        return store;
    }
}
