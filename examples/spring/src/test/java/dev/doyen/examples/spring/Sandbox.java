package dev.doyen.examples.spring;

import dev.doyen.postgresserver.PostgresServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;

/** A PostgreSQL server for the tests and for trying out the example. The server listens only on this machine. */
final class Sandbox implements AutoCloseable {

    /** The port in application.properties. */
    private static final int PORT = 15432;

    private final Path folder = Files.createTempDirectory("doyen-sandbox");
    private final PostgresServer postgres;

    /**
     * Starts the server.
     *
     * @param port the port to listen on; 0 for any free port
     */
    Sandbox(int port) throws IOException {
        postgres = PostgresServer.start(folder.resolve("postgres"), port, Map.of());
    }

    public static void main(String[] args) throws Exception {
        var sandbox = new Sandbox(PORT);
        Runtime.getRuntime().addShutdownHook(new Thread(sandbox::close));
        System.out.println("PostgreSQL listens at the address in application.properties");
        Thread.currentThread().join();
    }

    String url() {
        return postgres.url();
    }

    @Override
    public void close() {
        try {
            postgres.close();
            try (var files = Files.walk(folder)) {
                files.sorted(Comparator.reverseOrder())
                        .forEach(each -> each.toFile().delete());
            }
        } catch (IOException e) {
            System.err.println("the sandbox could not be deleted: " + folder + ": " + e);
        }
    }
}
