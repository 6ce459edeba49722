package dev.doyen.benchmarks.hub;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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

    /** @param jar the server's, beside its {@code lib} */
    DoyenPeer(Path jar, long remainPresentMillis) {
        this.jar = jar;
        this.remainPresentMillis = remainPresentMillis;
    }

    @Override
    public String label() {
        return "Doyen";
    }

    @Override
    public Dialect dialect() {
        return new AblyDialect(KEY, remainPresentMillis);
    }

    @Override
    public ServerProcess start(int port, Path folder) throws IOException, InterruptedException {
        Path settings = Files.writeString(folder.resolve("hub.yaml"), SETTINGS);
        return ServerProcess.start(
                List.of(
                        "env",
                        "DOYEN_KEY=" + KEY,
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:-UsePerfData",
                        "-Xss512k",
                        "-jar",
                        jar.toString(),
                        "hub",
                        "--port=" + port,
                        "--elector-port=0",
                        "--probe-port=0",
                        "--data=" + folder.resolve("data"),
                        "--settings=" + settings),
                folder,
                port);
    }
}
