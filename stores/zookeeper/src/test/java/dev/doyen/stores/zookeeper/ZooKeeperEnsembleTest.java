package dev.doyen.stores.zookeeper;

import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseStores;
import dev.doyen.testkit.LeaseStoreContract;
import dev.doyen.testkit.StoreLine;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.curator.test.TestingCluster;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The store contract on three servers, any of which may lag behind.
 *
 * <p>Each store connects to another server, so that it has to catch up with what the others confirm.
 */
class ZooKeeperEnsembleTest extends LeaseStoreContract {

    @RegisterExtension
    static final StoreLine LINE = new StoreLine("zookeeper", "contract");

    private static final AtomicInteger OPENED = new AtomicInteger();

    private static TestingCluster cluster;

    @BeforeAll
    static void start() throws Exception {
        cluster = new TestingCluster(3);
        cluster.start();
    }

    @AfterAll
    static void stop() throws Exception {
        cluster.close();
    }

    @Override
    protected LeaseStore open() {
        String[] servers = cluster.getConnectString().split(",", -1);
        LeaseStore store =
                LeaseStores.open("zookeeper://" + servers[OPENED.getAndIncrement() % servers.length] + "/ensemble");
        LINE.found(ZooKeeperServers.version() + " (3 servers)", store.promises());
        return store;
    }
}
