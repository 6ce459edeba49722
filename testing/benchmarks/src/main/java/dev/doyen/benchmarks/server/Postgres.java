package dev.doyen.benchmarks.server;

import dev.doyen.postgresserver.PostgresServer;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;

/** A PostgreSQL server that counts its requests. */
final class Postgres implements Server {

    private final PostgresServer running;
    private final Connection counting;

    Postgres(Path data) throws IOException, SQLException {
        running = PostgresServer.start(data.resolve("postgres"));
        counting = DriverManager.getConnection(url());
    }

    @Override
    public String url() {
        return running.url();
    }

    @Override
    public String version() {
        return "PostgreSQL " + query("SHOW server_version").replaceFirst(" .*", "");
    }

    @Override
    public long requests() {
        return Long.parseLong(
                query("SELECT xact_commit + xact_rollback FROM pg_stat_database WHERE datname = current_database()"));
    }

    @Override
    public List<ProcessHandle> processes() throws IOException {
        return running.processes().toList();
    }

    @Override
    public void close() throws IOException {
        try {
            counting.close();
        } catch (SQLException e) {
            // The next line closes the server in any case.
        }
        running.close();
    }

    private String query(String question) {
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
