package dev.doyen.drills;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The drills on ZooKeeper. */
class ZooKeeperDrillTest extends Drill {

    private static StoreServer server;

    @BeforeAll
    static void startServer() throws Exception {
        server = new ZooKeeper();
    }

    @AfterAll
    static void closeServer() throws Exception {
        server.close();
    }

    @Override
    StoreServer store() {
        return server;
    }
}
