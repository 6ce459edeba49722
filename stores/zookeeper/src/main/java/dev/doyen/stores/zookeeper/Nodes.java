package dev.doyen.stores.zookeeper;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Stat;

/**
 * The nodes as futures: each request is handed to ZooKeeper's own client once. Curator's loop, which would repeat a request
 * whose answer was lost and queue one that finds no connection, is passed by.
 *
 * <p>Threads: any. The futures complete on ZooKeeper's event thread, so what is chained to them must not wait. Errors:
 * {@link KeeperException}.
 */
final class Nodes {

    private final CuratorFramework client;

    Nodes(CuratorFramework client) {
        this.client = client;
    }

    /** A node's text and what ZooKeeper knows about them. */
    record Node(String text, Stat stat) {}

    /** From the server this client is connected to, which may lag behind; never behind this client's own writes. */
    private CompletableFuture<Node> get(String path) {
        var answer = new CompletableFuture<Node>();
        return with(
                answer,
                zookeeper -> zookeeper.getData(
                        path,
                        false,
                        (code, p, context, bytes, stat) -> settle(
                                answer,
                                code,
                                path,
                                () -> new Node(bytes == null ? "" : new String(bytes, StandardCharsets.UTF_8), stat)),
                        null));
    }

    /** The same; empty if there is no such node. */
    CompletableFuture<Optional<Node>> find(String path) {
        return get(path)
                .thenApply(Optional::of)
                .exceptionallyCompose(error -> is(error, Code.NONODE)
                        ? CompletableFuture.completedFuture(Optional.empty())
                        : CompletableFuture.failedFuture(error));
    }

    /** After this, {@link #find} shows whatever was confirmed to anybody before. */
    CompletableFuture<String> sync(String path) {
        var answer = new CompletableFuture<String>();
        return with(
                answer,
                zookeeper -> zookeeper.sync(path, (code, p, context) -> settle(answer, code, path, () -> path), null));
    }

    CompletableFuture<Stat> create(String path, byte[] bytes, List<ACL> access) {
        var answer = new CompletableFuture<Stat>();
        return with(
                answer,
                zookeeper -> zookeeper.create(
                        path,
                        bytes,
                        access,
                        CreateMode.PERSISTENT,
                        (code, p, context, name, stat) -> settle(answer, code, path, () -> stat),
                        null));
    }

    CompletableFuture<Stat> set(String path, byte[] bytes, int version) {
        var answer = new CompletableFuture<Stat>();
        return with(
                answer,
                zookeeper -> zookeeper.setData(
                        path,
                        bytes,
                        version,
                        (code, p, context, stat) -> settle(answer, code, path, () -> stat),
                        null));
    }

    /** True if there is a connection, now or within this time. */
    boolean areReachable(Duration within) {
        try {
            return client.blockUntilConnected((int) Math.max(1, within.toMillis()), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    static boolean is(Throwable error, Code code) {
        Throwable cause = error.getCause() != null && !(error instanceof KeeperException) ? error.getCause() : error;
        return cause instanceof KeeperException keeper && keeper.code() == code;
    }

    private interface Request {
        void send(ZooKeeper to);
    }

    private <T> CompletableFuture<T> with(CompletableFuture<T> answer, Request request) {
        try {
            request.send(client.getZookeeperClient().getZooKeeper());
        } catch (Exception e) {
            // Curator declares just that: it may have to begin a session first, and fail in many ways.
            answer.completeExceptionally(e);
        }
        return answer;
    }

    private static <T> void settle(CompletableFuture<T> answer, int code, String path, Supplier<T> value) {
        if (code == Code.OK.intValue()) {
            answer.complete(value.get());
        } else {
            answer.completeExceptionally(KeeperException.create(Code.get(code), path));
        }
    }
}
