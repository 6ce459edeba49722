package dev.doyen.benchmarks.server;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.zookeeper.Version;

/** A ZooKeeper ensemble without separate processes. Each candidate runs one of the three servers. */
final class EmbeddedZooKeeper implements Server {

    private final ZooKeeperConfig config;

    EmbeddedZooKeeper(Path data) throws IOException {
        config = new ZooKeeperConfig(data.resolve("ensemble"), CANDIDATES);
    }

    @Override
    public String url() {
        return config.url();
    }

    /** Returns the configuration file of the candidate's own server. */
    @Override
    public String url(int candidate) {
        return config.file(candidate).toString();
    }

    @Override
    public String version() {
        return "ZooKeeper " + Version.getVersion();
    }

    @Override
    public long requests() throws IOException {
        return config.packetsReceived(ANSWER_WITHIN);
    }

    @Override
    public List<ProcessHandle> processes() {
        return List.of();
    }

    @Override
    public void close() {
        // No action is necessary, because the candidates close their servers.
    }
}
