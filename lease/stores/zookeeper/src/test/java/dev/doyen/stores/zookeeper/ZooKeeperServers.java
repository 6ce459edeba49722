package dev.doyen.stores.zookeeper;

import dev.doyen.testkit.ServerProcess;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.zookeeper.Version;
import org.apache.zookeeper.server.ZooKeeperServerMain;
import org.apache.zookeeper.server.quorum.QuorumPeerMain;

/**
 * ZooKeeper servers in their own JVMs, so that tests can kill or freeze them.
 *
 * <p>ZooKeeper's client library contains the server.
 */
final class ZooKeeperServers {

    private static final int TRIES = 5;
    private static final long SERVES_WITHIN_NANOS = TimeUnit.MINUTES.toNanos(3);

    private ZooKeeperServers() {}

    static ServerProcess start(Path data) throws Exception {
        return ServerProcess.start(
                data.resolve("zookeeper.log"),
                port -> command(
                        ZooKeeperServerMain.class,
                        configuration(data, port, "clientPortAddress=127.0.0.1\nclientPort=" + port)));
    }

    /**
     * Starts servers that replicate to each other, and returns when each of them serves clients.
     *
     * <p>The ports are free when the method chooses them. If another process then binds one of the ports first, the
     * method starts the servers again on other ports. The method makes at most {@value #TRIES} attempts.
     */
    static List<ServerProcess> startEnsemble(Path data, int size) throws Exception {
        for (int attempt = 1; ; attempt++) {
            var servers = new ArrayList<ServerProcess>();
            try {
                startEnsemble(Files.createDirectory(data.resolve("ensemble-" + attempt)), size, servers);
                return servers;
            } catch (IllegalStateException e) {
                servers.forEach(ServerProcess::close);
                if (attempt == TRIES) {
                    throw e;
                }
            }
        }
    }

    private static void startEnsemble(Path data, int size, List<ServerProcess> started) throws Exception {
        var clientPorts = new ArrayList<Integer>();
        var members = new StringBuilder("initLimit=60\nsyncLimit=60");
        for (int id = 1; id <= size; id++) {
            clientPorts.add(ServerProcess.freePort());
            members.append("\nserver.%d=127.0.0.1:%d:%d;127.0.0.1:%d"
                    .formatted(id, ServerProcess.freePort(), ServerProcess.freePort(), clientPorts.get(id - 1)));
        }
        for (int id = 1; id <= size; id++) {
            var own = Files.createDirectory(data.resolve("server-" + id));
            Files.writeString(own.resolve("myid"), Integer.toString(id));
            int port = clientPorts.get(id - 1);
            started.add(ServerProcess.startOn(
                    port,
                    own.resolve("zookeeper.log"),
                    command(QuorumPeerMain.class, configuration(own, port, members.toString()))));
        }
        for (var server : started) {
            awaitServes(server);
        }
    }

    /** Waits until a server has a leader. Before that, the server accepts connections but answers no request. */
    private static void awaitServes(ServerProcess server) throws IOException {
        long start = System.nanoTime();
        String answer;
        do {
            if (!server.isAlive() || System.nanoTime() - start > SERVES_WITHIN_NANOS) {
                throw new IllegalStateException("the ZooKeeper server on port " + server.port() + " serves no client");
            }
            LockSupport.parkNanos(20_000_000);
            answer = state(server.port());
        } while (!answer.contains("Mode: "));
    }

    /** Returns the answer to the command {@code srvr}. The answer is empty if the connection failed. */
    private static String state(int port) {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), port);
                InputStream in = socket.getInputStream()) {
            socket.setSoTimeout(10_000);
            socket.getOutputStream().write("srvr".getBytes(StandardCharsets.US_ASCII));
            return new String(in.readAllBytes(), StandardCharsets.US_ASCII);
        } catch (IOException e) {
            return "";
        }
    }

    static String version() {
        return "zookeeper " + Version.getVersion();
    }

    private static List<String> command(Class<?> main, String configuration) {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                "-Xmx128m",
                "-Dzookeeper.admin.enableServer=false",
                main.getName(),
                configuration);
    }

    private static String configuration(Path data, int port, String rest) {
        try {
            return Files.writeString(
                            data.resolve("zoo-" + port + ".cfg"), "tickTime=500\ndataDir=" + data + "\n" + rest + "\n")
                    .toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
