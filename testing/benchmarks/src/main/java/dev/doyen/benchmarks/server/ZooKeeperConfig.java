package dev.doyen.benchmarks.server;

import java.io.IOException;
import java.io.Writer;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;

/**
 * The configuration files of a ZooKeeper server or ensemble, and the counters of its servers.
 *
 * <p>The tick is short, so that a server accepts session timeouts of one second and more. An ensemble removes a server
 * that does not answer for 2.5 s. The session timeouts in the benchmarks are longer than that.
 */
final class ZooKeeperConfig {

    private static final String HOST = "127.0.0.1";
    private static final int TICK_MILLIS = 500;
    private static final int INIT_TICKS = 20;
    private static final int SYNC_TICKS = 5;

    private final List<Integer> clientPorts = new ArrayList<>();
    private final List<Path> files = new ArrayList<>();

    /** Writes the configuration files of this number of servers. */
    ZooKeeperConfig(Path folder, int servers) throws IOException {
        List<Integer> ports = FreePorts.find(3 * servers);
        Properties ensemble = new Properties();
        for (int i = 0; i < servers && servers > 1; i++) {
            ensemble.setProperty("server." + (i + 1), HOST + ":" + ports.get(3 * i + 1) + ":" + ports.get(3 * i + 2));
        }
        for (int i = 0; i < servers; i++) {
            Path own = folder.resolve("server-" + (i + 1));
            Path data = Files.createDirectories(own.resolve("data"));
            int port = ports.get(3 * i);
            Properties properties = new Properties();
            properties.putAll(ensemble);
            properties.setProperty("dataDir", data.toString());
            properties.setProperty("clientPort", Integer.toString(port));
            properties.setProperty("clientPortAddress", HOST);
            properties.setProperty("tickTime", Integer.toString(TICK_MILLIS));
            properties.setProperty("initLimit", Integer.toString(INIT_TICKS));
            properties.setProperty("syncLimit", Integer.toString(SYNC_TICKS));
            properties.setProperty("admin.enableServer", "false");
            properties.setProperty("4lw.commands.whitelist", "mntr");
            if (servers > 1) {
                Files.writeString(data.resolve("myid"), Integer.toString(i + 1));
            }
            Path file = own.resolve("zoo.cfg");
            try (Writer writer = Files.newBufferedWriter(file)) {
                properties.store(writer, null);
            }
            clientPorts.add(port);
            files.add(file);
        }
    }

    /** Returns the configuration file of one server. */
    Path file(int server) {
        return files.get(server);
    }

    /** Returns the URL of all servers, in the format of Doyen's ZooKeeper store. */
    String url() {
        return "zookeeper://"
                + String.join(
                        ",", clientPorts.stream().map(port -> HOST + ":" + port).toList());
    }

    /**
     * Returns the number of packets that all servers have received from their clients.
     *
     * @param longest the time within which each server must answer. The limit is necessary, because a starting server
     *     can accept a connection and never answer
     * @throws IllegalStateException if a server does not serve clients yet
     * @throws IOException if a server cannot be reached or does not answer
     */
    long packetsReceived(Duration longest) throws IOException {
        long sum = 0;
        for (int port : clientPorts) {
            try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                socket.setSoTimeout((int) longest.toMillis());
                socket.getOutputStream().write("mntr".getBytes(StandardCharsets.US_ASCII));
                String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
                sum += Metrics.sum(answer, "zk_packets_received");
            }
        }
        return sum;
    }
}
