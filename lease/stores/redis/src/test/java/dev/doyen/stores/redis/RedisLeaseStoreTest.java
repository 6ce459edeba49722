package dev.doyen.stores.redis;

import dev.doyen.store.LeaseStore;
import dev.doyen.testkit.LeaseStoreContract;
import dev.doyen.testkit.ServerProcess;
import dev.doyen.testkit.StoreLine;
import io.lettuce.core.RedisClient;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Runs the store contract on a server with the settings that docs/reference/store-redis.md requires. */
class RedisLeaseStoreTest extends LeaseStoreContract {

    @RegisterExtension
    static final StoreLine LINE = new StoreLine("redis", "contract");

    @TempDir
    static Path data;

    private static ServerProcess server;
    private static String version;

    @BeforeAll
    static void start() throws Exception {
        RedisServers.assumeInstalled();
        server = RedisServers.start(data, RedisServers.DURABLE);
        version = RedisServers.version() + " (appendfsync always)";
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
    }

    @Override
    protected LeaseStore open() {
        LeaseStore store = LeaseStore.open("redis://127.0.0.1:" + server.port() + "/contract");
        LINE.found(version, store.promises());
        return store;
    }

    @Override
    protected boolean makeUnreadable(String name) {
        try (RedisClient client = RedisClient.create("redis://127.0.0.1:" + server.port())) {
            client.connect().sync().hset("contract:" + name, "text", "rubbish");
        }
        return true;
    }
}
