package dev.doyen.benchmarks.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.Version;

/** One ZooKeeper server in a separate JVM. */
final class ZooKeeperServer implements Server {

    private static final long UP_WITHIN_NANOS = TimeUnit.SECONDS.toNanos(60);

    private static final Duration RETRY_INTERVAL = Duration.ofMillis(250);

    private final ZooKeeperConfig config;
    private final Process process;

    ZooKeeperServer(Path data) throws IOException, InterruptedException {
        Path folder = Files.createDirectories(data.resolve("zookeeper"));
        Path log = folder.resolve("server.log");
        config = new ZooKeeperConfig(folder, 1);
        process = JavaProgram.of(
                        ZooKeeperProgram.class,
                        JavaProgram.SMALL,
                        List.of(config.file(0).toString()))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        long began = System.nanoTime();
        while (!isUp()) {
            if (process.waitFor(20, TimeUnit.MILLISECONDS) || System.nanoTime() - began > UP_WITHIN_NANOS) {
                close();
                throw new IOException("ZooKeeper did not start; see " + log);
            }
        }
    }

    @Override
    public String url() {
        return config.url();
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
        return List.of(process.toHandle());
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }

    private boolean isUp() {
        try {
            return config.packetsReceived(RETRY_INTERVAL) >= 0;
        } catch (IOException | IllegalStateException e) {
            return false;
        }
    }
}
