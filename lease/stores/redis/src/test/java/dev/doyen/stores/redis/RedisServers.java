package dev.doyen.stores.redis;

import dev.doyen.testkit.ServerProcess;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Starts Redis servers for the tests of this package. */
final class RedisServers {

    /** The settings that docs/reference/store-redis.md requires. */
    static final String[] DURABLE = {"--appendonly", "yes", "--appendfsync", "always"};

    static final String[] FORGETFUL = {"--appendonly", "no"};

    private RedisServers() {}

    static void assumeInstalled() {
        ServerProcess.assumeInstalled("store redis", "redis-server", "redis-server");
    }

    static ServerProcess start(Path data, String... settings) throws Exception {
        return ServerProcess.start(data.resolve("redis.log"), port -> {
            var command = new ArrayList<>(List.of(
                    "redis-server",
                    "--bind",
                    "127.0.0.1",
                    List.of(settings).contains("--tls-cert-file") ? "--tls-port" : "--port",
                    Integer.toString(port),
                    "--dir",
                    data.toString(),
                    "--save",
                    ""));
            command.addAll(List.of(settings));
            return command;
        });
    }

    static String version() throws Exception {
        var process = new ProcessBuilder("redis-server", "--version").start();
        String output = new String(process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        return "redis " + output.replaceAll("(?s).*v=([0-9.]+).*", "$1");
    }
}
