package dev.doyen.chaos;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** Chaos tests on ZooKeeper. */
@Tag("long")
class ZooKeeperChaosTest extends StoreChaos {

    @AutoClose
    private static StoreServer server;

    @BeforeAll
    static void startServer() throws Exception {
        server = ProcessStore.zooKeeper();
    }

    @Override
    StoreServer store() {
        return server;
    }
}
