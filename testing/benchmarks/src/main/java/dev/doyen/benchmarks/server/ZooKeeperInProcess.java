package dev.doyen.benchmarks.server;

import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import org.apache.zookeeper.server.embedded.ExitHandler;
import org.apache.zookeeper.server.embedded.ZooKeeperServerEmbedded;

/**
 * A ZooKeeper server in this JVM, alone or in an ensemble. The class uses ZooKeeper's own class for embedded servers.
 */
public final class ZooKeeperInProcess implements AutoCloseable {

    private final ZooKeeperServerEmbedded server;
    private final String url;

    /**
     * Starts the server with this configuration file. The constructor does not wait for other servers of an ensemble.
     */
    public ZooKeeperInProcess(Path file) throws Exception {
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            properties.load(reader);
        }
        url = "zookeeper://" + properties.getProperty("clientPortAddress") + ":" + properties.getProperty("clientPort");
        server = ZooKeeperServerEmbedded.builder()
                .baseDir(file.toAbsolutePath().getParent())
                .configuration(properties)
                .exitHandler(ExitHandler.LOG_ONLY)
                .build();
        server.start();
    }

    /** Returns the URL of this server, without other servers of an ensemble. */
    public String url() {
        return url;
    }

    @Override
    public void close() {
        server.close();
    }
}
