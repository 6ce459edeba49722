package dev.doyen.drills;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;

/** Chaos tests on PostgreSQL. */
class PostgresDrillTest extends Drill {

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
