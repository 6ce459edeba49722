package dev.doyen.stores.zookeeper;

import dev.doyen.testkit.ServerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.zookeeper.Version;
import org.apache.zookeeper.server.ZooKeeperServerMain;

/**
 * ZooKeeper servers in their own JVMs, so that tests can kill or freeze them.
 *
 * <p>ZooKeeper's client library contains the server.
 */
final class ZooKeeperServers {

    private ZooKeeperServers() {}

    static ServerProcess start(Path data) throws Exception {
        return ServerProcess.start(
                data.resolve("zookeeper.log"),
                port -> List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        "-Xmx128m",
                        "-Dzookeeper.admin.enableServer=false",
                        ZooKeeperServerMain.class.getName(),
                        configuration(data, port)));
    }

    static String version() {
        return "zookeeper " + Version.getVersion();
    }

    private static String configuration(Path data, int port) {
        try {
            return Files.writeString(
                            data.resolve("zoo-" + port + ".cfg"),
                            "tickTime=500\ndataDir=" + data + "\nclientPort=" + port
                                    + "\nclientPortAddress=127.0.0.1\n")
                    .toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
