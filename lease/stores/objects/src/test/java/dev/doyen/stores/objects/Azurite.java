package dev.doyen.stores.objects;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A process of Azurite, Microsoft's emulator of Azure Storage, from npm. The process listens on a free port of the
 * loopback interface.
 */
public final class Azurite implements AutoCloseable {

    /** The account name that every Azurite has. Microsoft publishes the account's key. */
    public static final String ACCOUNT = "devstoreaccount1";

    public static final String KEY =
            "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";

    private static final Pattern LISTENING = Pattern.compile("successfully listens on http://127\\.0\\.0\\.1:(\\d+)");

    private final ServerProcess process;
    private final int port;

    private Azurite(ServerProcess process) {
        this.process = process;
        this.port = process.port();
    }

    /**
     * Starts Azurite with its files in {@code directory}. If npm has not installed Azurite, the method prints a
     * message and returns empty.
     */
    public static Optional<Azurite> start(Path directory) {
        Path program = Path.of(System.getProperty("azurite")).normalize();
        if (!Files.exists(program)) {
            System.out.println("SKIPPED: tests with Azurite: " + program + " does not exist; run npm ci");
            return Optional.empty();
        }
        return Optional.of(new Azurite(ServerProcess.start(
                List.of(
                        program.toString(),
                        "--silent",
                        "--location",
                        directory.toString(),
                        "--blobHost",
                        "127.0.0.1",
                        "--blobPort",
                        "0",
                        "--skipApiVersionCheck",
                        "--disableTelemetry"),
                directory,
                LISTENING)));
    }

    /** Returns the server's URL without the account. */
    public URI server() {
        return URI.create("http://127.0.0.1:" + port);
    }

    @Override
    public void close() {
        process.close();
    }
}
