package dev.doyen.drills;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;

/** PostgreSQL, durable as a real one is: what was confirmed survives a kill. */
final class Postgres implements StoreServer {

    private final Path data;
    private EmbeddedPostgres server;

    Postgres() throws IOException {
        data = Files.createTempDirectory("doyen-drill-pg");
        server = start(0);
    }

    @Override
    public String name() {
        return "PostgreSQL";
    }

    @Override
    public int port() {
        return server.getPort();
    }

    @Override
    public String url(String host, int port) {
        return "jdbc:postgresql://" + host + ":" + port + "/postgres?user=postgres";
    }

    @Override
    public void kill() throws Exception {
        List<String> postmaster = Files.readAllLines(data.resolve("postmaster.pid"));
        Commands.run("kill", "-KILL", postmaster.get(0).strip());
    }

    @Override
    public void startAgain() throws IOException {
        int port = server.getPort();
        server.close();
        server = start(port);
    }

    @Override
    public void close() throws IOException {
        server.close();
        try (var files = Files.walk(data)) {
            files.sorted(Comparator.reverseOrder())
                    .forEach(each -> each.toFile().delete());
        }
    }

    private EmbeddedPostgres start(int port) throws IOException {
        return EmbeddedPostgres.builder()
                .setDataDirectory(data)
                .setCleanDataDirectory(false)
                .setServerConfig("synchronous_commit", "on")
                .setPort(port)
                .start();
    }
}
