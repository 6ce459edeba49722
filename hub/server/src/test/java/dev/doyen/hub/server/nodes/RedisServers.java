package dev.doyen.hub.server.nodes;

import dev.doyen.testkit.ServerProcess;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Starts the Redis server that the nodes of a test share. */
public final class RedisServers {

    private RedisServers() {}

    /** Skips the test on a machine without Redis. */
    public static void assumeInstalled() throws Exception {
        ServerProcess.assumeInstalled("store redis", "redis-server", "redis-server");
    }

    /** Starts a server in this folder. Without further settings, the server persists no data. */
    public static ServerProcess start(Path folder, String... settings) throws Exception {
        return ServerProcess.start(folder.resolve("redis.log"), port -> {
            var command = new ArrayList<>(List.of(
                    "redis-server",
                    "--bind",
                    "127.0.0.1",
                    "--port",
                    Integer.toString(port),
                    "--dir",
                    folder.toString(),
                    "--save",
                    ""));
            command.addAll(List.of(settings));
            return command;
        });
    }
}
