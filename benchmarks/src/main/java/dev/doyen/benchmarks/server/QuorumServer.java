package dev.doyen.benchmarks.server;

import dev.doyen.event.HandOverState;
import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseStores;
import dev.doyen.store.StoreUnavailableException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** Three members of a quorum, each in a separate JVM without candidates. The systems under test are their clients. */
final class QuorumServer implements Server {

    private static final int MEMBERS = 3;
    private static final long UP_WITHIN_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final String PROBE = "probe";

    private final List<Process> members = new ArrayList<>();
    private final String url;
    private final LeaseStore store;
    private long probes;

    QuorumServer(Path data) throws IOException {
        List<String> addresses = new ArrayList<>();
        for (int port : freePorts()) {
            addresses.add("127.0.0.1:" + port);
        }
        url = "quorum://" + String.join(",", addresses);
        Path folder = Files.createDirectories(data.resolve("quorum"));
        for (String address : addresses) {
            Path own = folder.resolve(address.replace(':', '-'));
            members.add(new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-Xmx64m",
                            "-cp",
                            System.getProperty("java.class.path"),
                            QuorumMemberProgram.class.getName(),
                            url + own + "?id=" + address)
                    .redirectErrorStream(true)
                    .redirectOutput(folder.resolve(own.getFileName() + ".log").toFile())
                    .start());
        }
        store = LeaseStores.open(url);
        awaitWrite();
    }

    @Override
    public String url() {
        return url;
    }

    @Override
    public String version() {
        return "quorum of " + MEMBERS + " members of Doyen";
    }

    /**
     * Returns the number of committed entries except its own.
     *
     * <p>The version of a new write contains the number.
     */
    @Override
    public long requests() {
        LeaseRecord record = new LeaseRecord(
                PROBE,
                "bench",
                "bench-1",
                ++probes,
                PROBE,
                Duration.ofSeconds(3),
                Instant.EPOCH,
                Instant.EPOCH,
                HandOverState.EMPTY,
                0);
        CasOutcome outcome = store.compareAndSet(PROBE, store.read(PROBE).version(), record);
        if (outcome instanceof CasOutcome.Written written) {
            String version = written.version().value();
            return Long.parseLong(version.substring(0, version.indexOf('.'))) - probes;
        }
        throw new StoreUnavailableException("the quorum did not confirm a write: " + outcome);
    }

    @Override
    public void close() {
        store.close();
        members.forEach(each -> each.destroyForcibly().onExit().join());
    }

    /** Waits for a write. The members found the quorum when all of them run. */
    private void awaitWrite() throws IOException {
        long began = System.nanoTime();
        while (System.nanoTime() - began < UP_WITHIN_NANOS) {
            try {
                long unused = requests();
                return;
            } catch (StoreUnavailableException e) {
                // Not yet.
            }
        }
        close();
        throw new IOException("the members did not confirm a write within a minute");
    }

    /** Returns distinct ports, because all sockets stay open until all ports are found. */
    private static List<Integer> freePorts() throws IOException {
        List<ServerSocket> held = new ArrayList<>();
        try {
            for (int i = 0; i < MEMBERS; i++) {
                held.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
            }
            return held.stream().map(ServerSocket::getLocalPort).collect(Collectors.toList());
        } finally {
            for (ServerSocket each : held) {
                each.close();
            }
        }
    }
}
