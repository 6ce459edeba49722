package dev.doyen.chaos;

import dev.doyen.postgresserver.PostgresServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A PostgreSQL server that loses no confirmed write after SIGKILL. */
public final class Postgres implements StoreServer {

    private final Path data = Files.createTempDirectory("doyen-chaos-pg");
    private final PostgresServer server = PostgresServer.start(data);

    /** Starts the server. */
    public Postgres() throws IOException {}

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
    public void freeze() throws IOException, InterruptedException {
        signal("-STOP");
    }

    @Override
    public void thaw() throws IOException, InterruptedException {
        signal("-CONT");
    }

    /**
     * Sends the signal to all processes. The postmaster receives the signal first, so that it cannot start a process
     * that misses the signal.
     */
    private void signal(String signal) throws IOException, InterruptedException {
        List<Long> pids = server.processes().map(ProcessHandle::pid).toList();
        for (long pid : pids) {
            // The result is ignored, because the process can have ended together with the connection that it served.
            Commands.succeeds("kill", signal, Long.toString(pid));
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
        ProcessStore.delete(data);
    }
}
