package dev.doyen.drills;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The drills on PostgreSQL. */
class PostgresDrillTest extends Drill {

    private static StoreServer server;

    @BeforeAll
    static void startServer() throws Exception {
        server = new Postgres();
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
