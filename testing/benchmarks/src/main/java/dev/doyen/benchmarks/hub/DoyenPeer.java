package dev.doyen.benchmarks.hub;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Starts Doyen's hub with {@code ./doyen hub}. A limit is higher than its default if a part of the benchmark exceeds
 * the default.
 */
final class DoyenPeer implements Peer {

    static final String KEY = "bench.key:secret";

    private static final String SETTINGS = """
            limits:
              connections: 25000
              members-per-channel: 20000
              messages-per-second: 100000
              messages-at-once: 100000
            """;

    private final Path program;
    private final long remainPresentMillis;
    private final String store;

    /**
     * Creates the peer.
     *
     * @param program the path of {@code ./doyen}, which starts Java with the same options as for users
     * @param store the URL of the store for the leases of claims; if empty, the hub uses the default store, whose files
     *     remain after the end of the hub
     */
    DoyenPeer(Path program, long remainPresentMillis, String store) {
        this.program = program;
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
        List<String> leases = store.isEmpty() ? List.of() : List.of("--store=" + store);
        return start(port, folder, leases);
    }

    @Override
    public boolean hasNodes() {
        return true;
    }

    @Override
    public ServerProcess startNode(int port, Path folder, int redisPort, Path leases)
            throws IOException, InterruptedException {
        return start(port, folder, List.of("--store=file:" + leases, "--nodes=redis://127.0.0.1:" + redisPort));
    }

    private ServerProcess start(int port, Path folder, List<String> more) throws IOException, InterruptedException {
        Path settings = Files.writeString(folder.resolve("hub.yaml"), SETTINGS);
        var command = new ArrayList<>(List.of(
                "env",
                "DOYEN_KEY=" + KEY,
                "JAVA_HOME=" + System.getProperty("java.home"),
                program.toString(),
                "hub",
                "--port=" + port,
                "--elector-port=0",
                "--probe-port=0",
                "--data=" + folder.resolve("data"),
                "--settings=" + settings));
        command.addAll(more);
        return ServerProcess.start(command, folder, port);
    }
}
