package dev.doyen.benchmarks.server;

import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/** The servers of one run. Each server is started at its first use. A failed start is reported once. */
public final class Servers implements AutoCloseable {

    private final DataFolder data;
    private final Map<ServerKind, Optional<Server>> started = new EnumMap<>(ServerKind.class);

    public Servers() throws IOException {
        data = new DataFolder();
    }

    /**
     * Returns the server. The result is empty if the server could not be started; the first call prints the reason.
     */
    public synchronized Optional<Server> get(ServerKind kind) {
        return started.computeIfAbsent(kind, each -> start(each, data.path()));
    }

    /**
     * Starts another server with its data in this directory. If the server cannot be started, the method prints the
     * reason and returns empty.
     */
    public static Optional<Server> start(ServerKind kind, Path data) {
        try {
            return Optional.of(kind.start(data));
        } catch (Exception e) {
            System.err.println("SKIPPED: everything on " + kind.label() + ": it could not be started: " + e
                    + (kind == ServerKind.ETCD ? "; apt-get install etcd-server" : ""));
            return Optional.empty();
        }
    }

    @Override
    public synchronized void close() {
        started.values().forEach(each -> each.ifPresent(Servers::close));
        data.close();
    }

    private static void close(Server server) {
        try {
            server.close();
        } catch (IOException e) {
            System.err.println(server.version() + " could not be closed: " + e);
        }
    }
}
