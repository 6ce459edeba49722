package dev.doyen.stores.jdbc;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Map;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** A real PostgreSQL with a data directory of its own, as durable as a real one unless it is told otherwise. */
final class PostgresServer implements AutoCloseable {

    private final Path data;
    private final Map<String, String> settings;
    private EmbeddedPostgres running;

    PostgresServer(Path data, Map<String, String> settings) throws IOException {
        this.data = data;
        this.settings = settings;
        this.running = start(0);
    }

    private EmbeddedPostgres start(int port) throws IOException {
        // Its own default for tests is off, which loses the last commits with kill -9.
        var builder = EmbeddedPostgres.builder()
                .setServerConfig("synchronous_commit", "on")
                .setServerConfig("fsync", "on")
                .setServerConfig("full_page_writes", "on")
                .setDataDirectory(data)
                .setCleanDataDirectory(false);
        settings.forEach(builder::setServerConfig);
        return (port == 0 ? builder : builder.setPort(port)).start();
    }

    int port() {
        return running.getPort();
    }

    String url() {
        return url(port());
    }

    static String url(int port) {
        return "jdbc:postgresql://127.0.0.1:" + port + "/postgres?user=postgres";
    }

    DataSource dataSource(String options) {
        var pool = new PGSimpleDataSource();
        pool.setUrl(url());
        pool.setOptions(options);
        return pool;
    }

    Connection connect() throws SQLException {
        return DriverManager.getConnection(url());
    }

    long pid() throws IOException {
        return Long.parseLong(
                Files.readAllLines(data.resolve("postmaster.pid")).get(0).strip());
    }

    /** The postmaster and everything it has started. */
    Stream<Long> pids() throws IOException {
        ProcessHandle postmaster = ProcessHandle.of(pid()).orElseThrow();
        return Stream.concat(Stream.of(postmaster), postmaster.descendants()).map(ProcessHandle::pid);
    }

    /** kill -9, and started again on the same port. */
    void crashAndRestart() throws Exception {
        crash();
        running = start(port());
    }

    void crash() throws Exception {
        ProcessHandle postmaster = ProcessHandle.of(pid()).orElseThrow();
        Signals.send("KILL", postmaster.pid());
        postmaster.onExit().get();
        running.close();
    }

    void restart() throws IOException {
        running = start(port());
    }

    @Override
    public void close() throws IOException {
        running.close();
    }
}
