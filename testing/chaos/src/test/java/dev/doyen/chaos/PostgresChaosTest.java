package dev.doyen.chaos;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;

/** Chaos tests on PostgreSQL. */
class PostgresChaosTest extends StoreChaos {

    @AutoClose
    private static StoreServer server;

    @BeforeAll
    static void startServer() throws Exception {
        server = new Postgres();
    }

    @Override
    StoreServer store() {
        return server;
    }
}
