package dev.doyen.hub.server.nodes;

import dev.doyen.testkit.ServerProcess;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Starts the Redis that the nodes of a test share. */
public final class RedisServers {

    private RedisServers() {}

    /** Skips the test on a machine without Redis. */
    public static void assumeInstalled() throws Exception {
        ServerProcess.assumeInstalled("redis", "redis-server", "redis-server");
    }

    /** Starts a server that persists data in this folder only if the settings require it. */
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
