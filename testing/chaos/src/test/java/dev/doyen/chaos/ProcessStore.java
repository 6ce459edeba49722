package dev.doyen.chaos;

import dev.doyen.kubernetesserver.KubernetesServer;
import dev.doyen.testkit.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.function.BiFunction;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.server.ZooKeeperServerMain;

/** A store for tests that kill and freeze one process of its server. */
public final class ProcessStore implements StoreServer {

    private static final int ANSWER_MILLIS = 60_000;

    /**
     * The maximum number of attempts to write. Before an attempt, ZooKeeper's client can wait a second for a
     * connection.
     */
    private static final int MAX_TRIES = 100;

    private final String name;
    private final ServerProcess process;
    private final BiFunction<String, Integer, String> url;
    private final Ready ready;
    private final AutoCloseable all;

    private ProcessStore(
            String name,
            ServerProcess process,
            BiFunction<String, Integer, String> url,
            Ready ready,
            AutoCloseable all) {
        this.name = name;
        this.process = process;
        this.url = url;
        this.ready = ready;
        this.all = all;
    }

    /** Waits until the server answers requests. Some servers accept connections earlier. */
    private interface Ready {
        void await() throws Exception;
    }

    /** Starts one ZooKeeper server in a separate JVM. */
    public static ProcessStore zooKeeper() throws Exception {
        Path dir = Files.createTempDirectory("doyen-chaos-zk");
        ServerProcess process = ServerProcess.start(
                dir.resolve("zookeeper.log"),
                port -> List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        "-Xmx128m",
                        "-Dzookeeper.admin.enableServer=false",
                        ZooKeeperServerMain.class.getName(),
                        Integer.toString(port),
                        dir.toString()));
        return alone("ZooKeeper", dir, process, "zookeeper://%s:%d/chaos", () -> awaitWrite(process.port()));
    }

    /** Starts one Redis server that writes each change to disk before it answers. */
    public static ProcessStore redis() throws Exception {
        ServerProcess.assumeInstalled("store redis", "redis-server", "redis-server");
        Path dir = Files.createTempDirectory("doyen-chaos-redis");
        ServerProcess process = ServerProcess.start(
                dir.resolve("redis.log"),
                port -> List.of(
                        "redis-server",
                        "--bind",
                        "127.0.0.1",
                        "--port",
                        Integer.toString(port),
                        "--dir",
                        dir.toString(),
                        "--save",
                        "",
                        "--appendonly",
                        "yes",
                        "--appendfsync",
                        "always"));
        return alone("Redis", dir, process, "redis://%s:%d/chaos", () -> {});
    }

    /** Starts a Kubernetes API server with its own etcd. Faults affect only the API server. */
    public static ProcessStore kubernetes() throws Exception {
        KubernetesServer.assumeInstalled();
        Path dir = Files.createTempDirectory("doyen-chaos-kubernetes");
        KubernetesServer server = KubernetesServer.start(dir);
        Path kubeconfig = server.kubeconfig("admin");
        return new ProcessStore(
                "Kubernetes",
                server.api(),
                (host, port) -> "kubernetes:default?kubeconfig=" + kubeconfig,
                server::awaitReady,
                () -> {
                    server.close();
                    delete(dir);
                });
    }

    /** Waits until a write succeeds. A ZooKeeper server accepts connections before it accepts writes. */
    private static void awaitWrite(int port) throws Exception {
        try (var client = new ZooKeeper("127.0.0.1:" + port, ANSWER_MILLIS, event -> {})) {
            int tries = 0;
            while (!writes(client)) {
                if (++tries == MAX_TRIES) {
                    throw new IOException("ZooKeeper did not answer " + MAX_TRIES + " writes on port " + port);
                }
            }
        }
    }

    private static boolean writes(ZooKeeper client) throws KeeperException, InterruptedException {
        try {
            client.create("/ready-", new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL_SEQUENTIAL);
            return true;
        } catch (KeeperException.ConnectionLossException e) {
            // The client reconnects before its next write.
            return false;
        }
    }

    private static ProcessStore alone(String name, Path dir, ServerProcess process, String url, Ready ready) {
        return new ProcessStore(name, process, (host, port) -> String.format(url, host, port), ready, () -> {
            process.close();
            delete(dir);
        });
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public int port() {
        return process.port();
    }

    @Override
    public String url(String host, int port) {
        return url.apply(host, port);
    }

    @Override
    public void kill() {
        process.kill();
    }

    @Override
    public void startAgain() throws Exception {
        process.restart();
        ready.await();
    }

    @Override
    public void freeze() throws Exception {
        process.freeze();
    }

    @Override
    public void thaw() throws Exception {
        process.thaw();
    }

    @Override
    public void close() throws Exception {
        all.close();
    }

    /** Deletes a directory with its content. */
    public static void delete(Path dir) throws IOException {
        try (var files = Files.walk(dir)) {
            files.sorted(Comparator.reverseOrder())
                    .forEach(each -> each.toFile().delete());
        }
    }
}
