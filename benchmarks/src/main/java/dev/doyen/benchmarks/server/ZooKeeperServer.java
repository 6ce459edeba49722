package dev.doyen.benchmarks.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.apache.curator.test.InstanceSpec;
import org.apache.curator.test.TestingServer;
import org.apache.zookeeper.Version;

/** ZooKeeper in this JVM. Its short tick permits sessions of one second and more. */
final class ZooKeeperServer implements Server {

    private static final int TICK_MILLIS = 500;

    private final TestingServer running;

    ZooKeeperServer(Path data) throws Exception {
        System.setProperty("zookeeper.4lw.commands.whitelist", "mntr");
        running = new TestingServer(
                new InstanceSpec(
                        data.resolve("zookeeper").toFile(),
                        -1,
                        -1,
                        -1,
                        true,
                        1,
                        TICK_MILLIS,
                        100,
                        Map.of(),
                        "127.0.0.1"),
                true);
    }

    @Override
    public String url() {
        return "zookeeper://" + running.getConnectString();
    }

    @Override
    public String version() {
        return "ZooKeeper " + Version.getVersion();
    }

    @Override
    public long requests() throws IOException {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), running.getPort())) {
            socket.getOutputStream().write("mntr".getBytes(StandardCharsets.US_ASCII));
            String said = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            return Metrics.sum(said, "zk_packets_received");
        }
    }

    @Override
    public void close() throws IOException {
        running.close();
    }
}
