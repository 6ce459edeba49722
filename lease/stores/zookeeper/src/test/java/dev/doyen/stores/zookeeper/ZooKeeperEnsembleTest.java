package dev.doyen.stores.zookeeper;

import dev.doyen.store.LeaseStore;
import dev.doyen.testkit.LeaseStoreContract;
import dev.doyen.testkit.ServerProcess;
import dev.doyen.testkit.StoreLine;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the store contract on three servers, each of which can lag behind the others.
 *
 * <p>Each new store connects to the next of the three servers. So a store can read the writes of a store on another
 * server only after its own server has applied these writes.
 */
class ZooKeeperEnsembleTest extends LeaseStoreContract {

    @RegisterExtension
    static final StoreLine LINE = new StoreLine("zookeeper", "contract");

    private static final AtomicInteger OPENED = new AtomicInteger();

    private static List<ServerProcess> servers;

    @BeforeAll
    static void start(@TempDir Path data) throws Exception {
        servers = ZooKeeperServers.startEnsemble(data, 3);
    }

    @AfterAll
    static void stop() {
        if (servers != null) {
            servers.forEach(ServerProcess::close);
        }
    }

    @Override
    protected LeaseStore open() {
        var server = servers.get(OPENED.getAndIncrement() % servers.size());
        LeaseStore store = LeaseStore.open("zookeeper://127.0.0.1:" + server.port() + "/ensemble");
        LINE.found(ZooKeeperServers.version() + " (3 servers)", store.promises());
        return store;
    }
}
