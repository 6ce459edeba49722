package dev.doyen.examples.spring;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;

/** A PostgreSQL of its own, on this machine only: for the tests, and to try the example by hand. */
final class Sandbox implements AutoCloseable {

    /** As in application.properties. */
    private static final int PORT = 15432;

    private final Path folder = Files.createTempDirectory("doyen-sandbox");
    private final EmbeddedPostgres postgres;

    /** @param port 0 for one that is free */
    Sandbox(int port) throws IOException {
        // What was committed is to survive: else the store warns, and rightly.
        var builder = EmbeddedPostgres.builder()
                .setServerConfig("synchronous_commit", "on")
                .setServerConfig("fsync", "on")
                .setServerConfig("full_page_writes", "on")
                .setDataDirectory(folder.resolve("postgres"));
        postgres = (port == 0 ? builder : builder.setPort(port)).start();
    }

    public static void main(String[] args) throws Exception {
        var sandbox = new Sandbox(PORT);
        Runtime.getRuntime().addShutdownHook(new Thread(sandbox::close));
        System.out.println("PostgreSQL is there, where application.properties looks for it");
        Thread.currentThread().join();
    }

    String url() {
        return postgres.getJdbcUrl("postgres", "postgres");
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
            System.err.println("the sandbox was left behind in " + folder + ": " + e);
        }
    }
}
