package dev.doyen.stores.etcd;

import dev.doyen.store.LeaseStore;
import dev.doyen.testkit.LeaseStoreContract;
import dev.doyen.testkit.ServerProcess;
import dev.doyen.testkit.StoreLine;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Runs the store contract on a real etcd server. */
class EtcdLeaseStoreTest extends LeaseStoreContract {

    @RegisterExtension
    static final StoreLine LINE = new StoreLine("etcd", "contract");

    @TempDir
    static Path data;

    private static ServerProcess server;

    @BeforeAll
    static void start() throws Exception {
        EtcdServers.assumeInstalled();
        server = EtcdServers.start(data);
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
    }

    @Override
    protected LeaseStore open() {
        LeaseStore store = LeaseStore.open("etcd://127.0.0.1:" + server.port() + "/contract");
        LINE.found(EtcdServers.version(), store.promises());
        return store;
    }
}
