package dev.doyen.drills;

import dev.doyen.postgresserver.PostgresServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;

/** PostgreSQL: what was confirmed survives a kill. */
final class Postgres implements StoreServer {

    private final Path data = Files.createTempDirectory("doyen-drill-pg");
    private final PostgresServer server = PostgresServer.start(data);

    Postgres() throws IOException {}

    @Override
    public String name() {
        return "PostgreSQL";
    }

    @Override
    public int port() {
        return server.port();
    }

    @Override
    public String url(String host, int port) {
        return PostgresServer.url(host, port);
    }

    @Override
    public void kill() throws IOException {
        server.crash();
    }

    @Override
    public void startAgain() throws IOException {
        server.restart();
    }

    @Override
    public void close() throws IOException {
        server.close();
        try (var files = Files.walk(data)) {
            files.sorted(Comparator.reverseOrder())
                    .forEach(each -> each.toFile().delete());
        }
    }
}
