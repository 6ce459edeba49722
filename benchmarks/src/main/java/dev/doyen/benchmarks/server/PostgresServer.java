package dev.doyen.benchmarks.server;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;

/** PostgreSQL as durable as it is by default: the embedded one's own default would not wait for the disk. */
final class PostgresServer implements Server {

    private final EmbeddedPostgres running;
    private final Connection counting;

    PostgresServer(Path data) throws IOException, SQLException {
        running = EmbeddedPostgres.builder()
                .setServerConfig("synchronous_commit", "on")
                .setServerConfig("fsync", "on")
                .setServerConfig("full_page_writes", "on")
                .setDataDirectory(data.resolve("postgres"))
                .start();
        counting = DriverManager.getConnection(url());
    }

    @Override
    public String url() {
        return "jdbc:postgresql://127.0.0.1:" + running.getPort() + "/postgres?user=postgres";
    }

    @Override
    public String version() {
        return "PostgreSQL " + ask("SHOW server_version").replaceFirst(" .*", "");
    }

    @Override
    public long requests() {
        return Long.parseLong(
                ask("SELECT xact_commit + xact_rollback FROM pg_stat_database WHERE datname = current_database()"));
    }

    @Override
    public void close() throws IOException {
        try {
            counting.close();
        } catch (SQLException e) {
            // It ends with the server.
        }
        running.close();
    }

    private String ask(String question) {
        try (var statement = counting.createStatement();
                var rows = statement.executeQuery(question)) {
            if (!rows.next()) {
                throw new IllegalStateException("no answer to: " + question);
            }
            return String.valueOf(rows.getString(1));
        } catch (SQLException e) {
            throw new IllegalStateException("no answer to: " + question, e);
        }
    }
}
