package dev.doyen.benchmarks.hub;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** {@code doyen hub}, as {@code ./doyen} starts it, with the limits raised that the parts go beyond. */
final class DoyenPeer implements Peer {

    private static final String KEY = "bench.key:secret";

    private static final String SETTINGS = """
            limits:
              connections: 25000
              members-per-channel: 20000
              messages-per-second: 100000
              messages-at-once: 100000
            """;

    private final Path jar;
    private final long remainPresentMillis;
    private final String store;

    /**
     * @param jar the server's, beside its {@code lib}
     * @param store of the claims' leases; empty for the usual one, files that survive the hub
     */
    DoyenPeer(Path jar, long remainPresentMillis, String store) {
        this.jar = jar;
        this.remainPresentMillis = remainPresentMillis;
        this.store = store;
    }

    @Override
    public String label() {
        return store.isEmpty() ? "Doyen" : "Doyen, leases in " + store;
    }

    @Override
    public boolean differsInClaimsOnly() {
        return !store.isEmpty();
    }

    @Override
    public Dialect dialect() {
        return new AblyDialect(KEY, remainPresentMillis);
    }

    @Override
    public ServerProcess start(int port, Path folder) throws IOException, InterruptedException {
        Path settings = Files.writeString(folder.resolve("hub.yaml"), SETTINGS);
        var command = new ArrayList<>(List.of(
                "env",
                "DOYEN_KEY=" + KEY,
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:-UsePerfData",
                "-Xss512k",
                "-Xms32m",
                "-XX:NewRatio=4",
                "-XX:MinHeapFreeRatio=10",
                "-XX:MaxHeapFreeRatio=30",
                "-jar",
                jar.toString(),
                "hub",
                "--port=" + port,
                "--elector-port=0",
                "--probe-port=0",
                "--data=" + folder.resolve("data"),
                "--settings=" + settings));
        if (!store.isEmpty()) {
            command.add("--store=" + store);
        }
        return ServerProcess.start(command, folder, port);
    }
}
