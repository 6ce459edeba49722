package dev.doyen.benchmarks.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The servers of one run, each started at its first use. A failed start is reported once. */
public final class Servers implements AutoCloseable {

    private final Path data;
    private final Map<ServerKind, Optional<Server>> started = new EnumMap<>(ServerKind.class);

    public Servers() throws IOException {
        data = Files.createTempDirectory("doyen-bench");
    }

    /** Returns the server, or empty if it cannot be started. Then the reason has been printed. */
    public synchronized Optional<Server> get(ServerKind kind) {
        return started.computeIfAbsent(kind, this::start);
    }

    private Optional<Server> start(ServerKind kind) {
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
        try (Stream<Path> all = Files.walk(data)) {
            all.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
        } catch (IOException | UncheckedIOException e) {
            System.err.println("some files are left in " + data);
        }
    }

    private static void close(Server server) {
        try {
            server.close();
        } catch (IOException e) {
            System.err.println(server.version() + " could not be closed: " + e);
        }
    }
}
