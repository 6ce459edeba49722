package dev.doyen.benchmarks.hub;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

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

    /** The settings that differ between the measured hubs. */
    enum Variant {
        /** Clients connect without TLS. Leases are files, which remain after the end of the hub. */
        DEFAULT("Doyen"),
        /** Clients connect over TLS. */
        TLS("Doyen, TLS"),
        LEASES_IN_MEMORY("Doyen, leases in memory:");

        private final String label;

        Variant(String label) {
            this.label = label;
        }
    }

    private final Path program;
    private final long remainPresentMillis;
    private final Variant variant;

    /**
     * Creates the peer.
     *
     * @param program the path of {@code ./doyen}, which starts Java with the same options as for users
     */
    DoyenPeer(Path program, long remainPresentMillis, Variant variant) {
        this.program = program;
        this.remainPresentMillis = remainPresentMillis;
        this.variant = variant;
    }

    @Override
    public String label() {
        return variant.label;
    }

    @Override
    public Set<String> parts() {
        return switch (variant) {
            case DEFAULT -> Set.of("idle", "nodes", "join", "fan-out", "rate", "takeover");
            case TLS -> Set.of("idle", "fan-out", "rate");
            case LEASES_IN_MEMORY -> Set.of("takeover");
        };
    }

    @Override
    public Dialect dialect() {
        return new AblyDialect(KEY, remainPresentMillis, variant == Variant.TLS);
    }

    @Override
    public ServerProcess start(int port, Path folder) throws IOException, InterruptedException {
        return start(
                port,
                folder,
                switch (variant) {
                    case DEFAULT -> List.of();
                    case TLS -> certificate(folder);
                    case LEASES_IN_MEMORY -> List.of("--store=memory:");
                });
    }

    /** Makes a self-signed certificate with a key on the curve P-256, and returns the hub's options for them. */
    private static List<String> certificate(Path folder) throws IOException, InterruptedException {
        String certificate = folder.resolve("hub.crt").toString();
        String key = folder.resolve("hub.key").toString();
        int exit = new ProcessBuilder("openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 "
                        .concat("-subj /CN=localhost -keyout " + key + " -out " + certificate)
                        .split(" "))
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("openssl.log").toFile())
                .start()
                .waitFor();
        if (exit != 0) {
            throw new IOException(
                    "openssl could not make a certificate: " + Files.readString(folder.resolve("openssl.log")));
        }
        return List.of("--tls-cert=" + certificate, "--tls-key=" + key);
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
